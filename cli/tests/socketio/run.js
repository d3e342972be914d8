// Runs one scenario: node run.js FILE NAME. Says what failed, if anything does.
'use strict';

const [, , file, name] = process.argv;
const scenario = require(`./${file}.js`)[name];
if (!scenario) {
  console.error(`there is no scenario ${name} in ${file}.js`);
  process.exit(2);
}
scenario().then(
  () => process.exit(0),
  (error) => {
    console.error(error.stack ?? error);
    process.exit(1);
  },
);
