// The readable page of the API: drawn from /api/openapi.json and /api/schemas.

const $ = (id) => document.getElementById(id);
const make = (tag, props, ...children) => {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children.filter(Boolean));
  return element;
};
const link = (href, text) => make('a', { href }, text);
const code = (text) => make('code', {}, text);

const TAGS = { lobby: 'Lobby: tables and seats', play: 'Play', games: 'Games', house: 'Health', docs: 'Descriptions' };
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

async function fetchJson(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.json();
}

// The schema a reference points to, and the name it goes by.
function follow(openapi, schema) {
  const name = schema?.$ref?.split('/').pop();
  return name ? [openapi.components?.schemas?.[name] ?? {}, name] : [schema ?? {}, schema?.title ?? ''];
}

function kindOf(openapi, schema) {
  if (!schema) return '';
  if (schema.$ref) return follow(openapi, schema)[1];
  const either = schema.oneOf ?? schema.anyOf;
  if (either) return either.map((one) => kindOf(openapi, one)).join(' or ');
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' or ');
  const kinds = [schema.type ?? 'any'].flat();
  return kinds.map((kind) => (kind === 'array' ? `list of ${kindOf(openapi, schema.items) || 'anything'}` : kind)).join(' or ');
}

function table(heads, rows) {
  const head = make('tr', {}, ...heads.map((text) => make('th', { scope: 'col' }, text)));
  const body = rows.map((cells) => make('tr', {}, ...cells.map((cell) => make('td', {}, cell))));
  return make('div', { className: 'scroll' }, make('table', { className: 'grid' }, make('thead', {}, head), make('tbody', {}, ...body)));
}

// The fields of an object, and of the objects inside it.
function fields(openapi, schema, seen = []) {
  const [shape, name] = follow(openapi, schema);
  if (!shape.properties || seen.includes(name)) return [];
  const rows = Object.entries(shape.properties).map(([field, kind]) => [
    code(field), kindOf(openapi, kind),
    `${shape.required?.includes(field) ? '' : 'Optional. '}${kind.description ?? follow(openapi, kind)[0].description ?? ''}`,
  ]);
  const inner = Object.values(shape.properties)
    .flatMap((kind) => [kind, kind.items, ...(kind.oneOf ?? []), ...(kind.anyOf ?? [])])
    .filter((kind) => kind?.$ref);
  const once = [...new Map(inner.map((kind) => [kind.$ref, kind])).values()];
  const head = name && make('p', {}, code(name), shape.description ? ` — ${shape.description}` : '');
  return [head, table(['Field', 'Kind', 'Meaning'], rows),
    ...once.flatMap((kind) => fields(openapi, kind, [...seen, name]))];
}

function callBox(openapi, path, method, call) {
  const summary = make('summary', {}, make('span', { className: 'method' }, method.toUpperCase()), code(path),
    make('span', { className: 'quiet' }, ` — ${call.summary ?? call.description ?? ''}`));
  const box = make('details', { className: 'call' }, summary);
  if (call.description && call.description !== call.summary) box.append(make('p', {}, call.description));
  if (call.security?.length) box.append(make('p', {}, 'Needs ', code('Authorization: Bearer TOKEN'), '.'));
  if (call.parameters?.length) {
    const rows = call.parameters.map((one) => [
      code(one.name), one.in, `${one.required ? '' : 'Optional. '}${one.description ?? ''}`,
    ]);
    box.append(make('h4', {}, 'Parameters'), table(['Name', 'In', 'Meaning'], rows));
  }
  for (const [kind, { schema }] of Object.entries(call.requestBody?.content ?? {})) {
    box.append(make('h4', {}, 'Body'), make('p', {}, `${kind}. ${call.requestBody.description ?? ''}`), ...fields(openapi, schema).filter(Boolean));
  }
  const answers = Object.entries(call.responses ?? {});
  const shape = (answer) => Object.values(answer.content ?? {})[0]?.schema;
  const rows = answers.map(([status, answer]) => [status, answer.description ?? '', code(kindOf(openapi, shape(answer)) || '—')]);
  box.append(make('h4', {}, 'Answers'), table(['Status', 'Meaning', 'Body'], rows));
  const good = answers.find(([status, answer]) => status.startsWith('2') && shape(answer)?.$ref);
  if (good) box.append(...fields(openapi, shape(good[1])).filter(Boolean));
  return box;
}

function drawCalls(openapi) {
  const byTag = new Map(Object.keys(TAGS).map((tag) => [tag, []]));
  for (const [path, calls] of Object.entries(openapi.paths)) {
    for (const method of METHODS.filter((one) => calls[one])) {
      const tag = calls[method].tags?.[0] ?? 'other';
      if (!byTag.has(tag)) byTag.set(tag, []);
      byTag.get(tag).push(callBox(openapi, path, method, calls[method]));
    }
  }
  const sections = [...byTag].filter(([, boxes]) => boxes.length)
    .map(([tag, boxes]) => make('section', {}, make('h2', {}, TAGS[tag] ?? tag), ...boxes));
  $('calls').replaceChildren(...sections);
}

function drawDialects({ dialects }) {
  const links = (dialect, names) => {
    const items = names.map((name) => make('li', {}, link(`/api/schemas/${dialect}/${name}`, name)));
    return items.length ? make('ul', {}, ...items) : make('p', { className: 'quiet' }, 'none of its own');
  };
  $('dialects').replaceChildren(...Object.entries(dialects).map(([name, { events, commands }]) => make('details', { className: 'call' },
    make('summary', {}, code(name), make('span', { className: 'quiet' }, ` — ${events.length} events, ${commands.length} commands`)),
    make('p', {}, link(`/api/schemas/${name}`, 'All schemas of this dialect')),
    make('h4', {}, 'Events'), links(name, events), make('h4', {}, 'Commands'), links(name, commands))));
}

try {
  const [openapi, schemas] = await Promise.all([fetchJson('/api/openapi.json'), fetchJson('/api/schemas')]);
  drawCalls(openapi);
  drawDialects(schemas);
} catch (error) {
  $('notice').hidden = false;
  $('notice').textContent = `The description could not be loaded: ${error.message}. Try again in a moment.`;
  $('calls').replaceChildren();
}
