// The streams' description is one, by the parser that AsyncAPI's own tools use.
import { createRequire } from 'node:module';

const { Parser } = createRequire(`${process.env.NODE_PATH}/`)('@asyncapi/parser');
const answer = await fetch(`${process.argv[2]}/api/asyncapi.json`);
const { document, diagnostics } = await new Parser().parse(await answer.text());
const errors = diagnostics.filter(({ severity }) => severity === 0);
for (const { message, path } of errors) console.error(`${path.join('/')}: ${message}`);
if (!document || errors.length) process.exit(1);
const count = (list) => list.all().length;
console.log(`AsyncAPI: ${count(document.allChannels())} channels, ${count(document.allMessages())} messages, no fault`);
