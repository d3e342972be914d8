// Says back what it hears. No rules, no log, nobody else at the table: the
// least a Socket.IO server in Node can do for a command.
'use strict';

const { Server } = require('socket.io');

const http = require('node:http').createServer();
new Server(http).on('connection', (socket) => {
  socket.on('game:playCard', (data) => socket.emit('game:events', data));
});
http.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${http.address().port}`);
});
