// docs/reference/errors.md: the errors that a jar answers with, from the error tables of the kernel and the services.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MANAGEMENT } from '../../src/kernel/arm/family.ts';
import { errorRowsOf } from '../../src/kernel/http/errors.ts';
import { apisOf } from '../../src/kernel/service/index.ts';
import { ERROR_TABLE } from '../../src/services/identity/errors.ts';
import { SERVICES } from '../../src/services.ts';
import { root } from '../lib/paths.mjs';
import { code, generatedPage, SERVICE_PAGES, tableOf } from './page.mjs';
import { remedyOf } from './remedies.mjs';

/**
 * @typedef {import('../../src/kernel/http/errors.ts').ErrorRow} ErrorRow
 * @typedef {{ code: string, status: number, messages: string[], remedy: string }} Described
 */

const INTRODUCTION = `
Every error code, with its status, its message or when it is returned, and what to do about it. \`{name}\` in a message stands for a value, such as the name of a resource;
\`{reason}\` for a sentence that says which field is wrong, and why.

Each API has the error body of the real service. In the management API it is \`{"error":{"code":"…","message":"…","target":"…"}}\`; the page of a service shows its own.
The code is the stable part: test for the code and the status, not for the message. Every answer has a request id, whose header depends on the API (\`x-ms-request-id\` in the management API); \`npx cloudjar logs\` and \`GET /_jar/requests\` find the request by it.
`;

/** Mistakes that the kernel finds in requests of every API; each API has its own codes for them. */
const KERNEL_MISTAKES =
  /** @type {Readonly<Record<import('../../src/kernel/http/family.ts').KernelMistake, readonly [number, string]>>} */ ({
    malformedJson: [400, 'The body is not valid JSON.'],
    invalidBody: [400, 'The body is missing, or a field has the wrong type.'],
    invalidQuery: [
      400,
      'A query parameter is missing, unknown or not valid, or the path is not properly percent-encoded.',
    ],
    notFound: [404, 'Nothing is served at the path. The message suggests the nearest path.'],
    methodNotAllowed: [405, 'The path exists, but not with this method.'],
    preconditionFailed: [412, '`If-Match` or `If-None-Match` does not fit the current state.'],
    bodyTooLarge: [413, 'The body is larger than the API accepts.'],
    unsupportedMediaType: [415, 'The content type or encoding is not one that the operation accepts.'],
    internal: [500, 'An unexpected error.'],
    unavailable: [503, 'The store or another part does not answer, or the jar is closing.'],
  });

/** Sections in front of those of the services: what the kernel answers for several of them. */
const KERNEL_TABLES = ['src/kernel/arm'];

export async function errorsPage() {
  const tables = await findTables();
  const rowsBelow = (/** @type {string} */ folder) => {
    const found = tables.filter(({ file }) => file.startsWith(`${folder}/`));
    return found.flatMap(({ rows }) => rows);
  };
  const management = [...commonRows(MANAGEMENT.codes), ...KERNEL_TABLES.flatMap(rowsBelow)];
  const services = SERVICES.map((service) => {
    const own = apisOf(service)
      .map(({ family }) => family)
      .filter((family) => family !== MANAGEMENT);
    const rows = [...own.flatMap(({ codes }) => commonRows(codes)), ...rowsBelow(`src/services/${service.name}`)];
    if (service.name === 'identity') rows.push(...identityRows());
    if (service.name === 'platform') rows.push(...CATALOG_ROWS);
    const note =
      own.length < apisOf(service).length ? ' The errors of the [management API](#management-api) apply too.' : '';
    return {
      heading: service.title,
      text: `[Page of the service](../services/${SERVICE_PAGES[service.name]}).${note}\n\n${errorsTable(rows)}`,
    };
  });
  const control = [
    'src/control',
    'src/kernel/limits',
    'src/kernel/faults',
    'src/kernel/snapshots',
    'src/kernel/settings',
  ];
  return generatedPage({
    title: 'Errors',
    source: 'the error tables of the kernel and the services',
    introduction: INTRODUCTION,
    sections: [
      { heading: 'Management API', text: errorsTable(management) },
      ...services,
      { heading: 'Control API', text: errorsTable(control.flatMap(rowsBelow)) },
    ],
  });
}

/** Every file that calls `errorTable` exports its tables. */
export async function findTables() {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
    /^(export )?const \w+ = errorTable\(/m.test(readFileSync(join(root, file), 'utf8')),
  );
  return Promise.all(
    files.sort().map(async (file) => {
      const exported = Object.values(await import(pathToFileURL(join(root, file)).href));
      const found = exported.flatMap((value) =>
        typeof value === 'object' && value !== null ? [errorRowsOf(value)] : [],
      );
      const rows = found.flatMap((table) => (table === undefined ? [] : Object.entries(table).map(described)));
      if (rows.length === 0) throw new Error(`${file} has an error table that it does not export`);
      return { file: file.replaceAll('\\', '/'), rows };
    }),
  );
}

/**
 * @param {[string, ErrorRow]} row
 * @returns {Described}
 */
function described([name, [number, template, remedy]]) {
  // The translator has the status in the first three of six digits.
  const status = number > 999 ? Math.floor(number / 1000) : number;
  const shown = number > 999 ? String(number) : (name.split('__', 1)[0] ?? name);
  return { code: shown, status, messages: [template], remedy: remedy ?? remedyOf(status, name) };
}

/**
 * @param {Readonly<Record<import('../../src/kernel/http/family.ts').KernelMistake, string>>} codes
 * @returns {Described[]}
 */
const commonRows = (codes) =>
  Object.entries(KERNEL_MISTAKES).map(([mistake, [status, when]]) => {
    const own = codes[/** @type {keyof typeof codes} */ (mistake)];
    return { code: own, status, messages: [when], remedy: remedyOf(status, own) };
  });

/** @returns {Described[]} */
const identityRows = () =>
  Object.values(ERROR_TABLE).map(([number, error, status, template]) => ({
    code: `${error} (AADSTS${number})`,
    status,
    messages: [template],
    remedy: remedyOf(status, error),
  }));

/** Objects of the catalog have codes that begin with their kind (src/services/platform/catalog/core/errors.ts). */
const CATALOG_ROWS = /** @type {const} */ ([
  [
    '…_DOES_NOT_EXIST',
    404,
    "A catalog, schema, table, volume or other object of the catalog ('CATALOG_DOES_NOT_EXIST') does not exist.",
  ],
  ['…_ALREADY_EXISTS', 409, 'An object of the catalog with this name already exists.'],
  ['…_NOT_EMPTY', 400, 'An object of the catalog is not empty. Delete its content first, or use `force=true`.'],
]).map(([name, status, message]) => ({ code: name, status, messages: [message], remedy: remedyOf(status, name) }));

/** @param {Described[]} rows */
function errorsTable(rows) {
  /** @type {Map<string, Described>} */
  const byCode = new Map();
  for (const row of rows) {
    const key = `${row.code} ${row.status}`;
    const present = byCode.get(key);
    if (!present) byCode.set(key, { ...row, messages: [...row.messages] });
    else if (!present.messages.includes(row.messages[0] ?? '')) present.messages.push(...row.messages);
  }
  const sorted = [...byCode.values()].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code, 'en'));
  const cells = sorted.map((row) => [code(row.code), String(row.status), messagesCell(row.messages), row.remedy]);
  return tableOf(['code', 'status', 'when', 'what to do'], cells);
}

const MOST_MESSAGES = 8;

/** @param {string[]} messages */
function messagesCell(messages) {
  // A message that is nothing but its reason says nothing here, unless it is the only one.
  const telling = messages.filter((message) => message !== '{reason}');
  if (telling.length === 0) return 'The message says what is wrong.';
  const shown = telling.slice(0, MOST_MESSAGES).map(textOf);
  return [...shown, ...(telling.length > MOST_MESSAGES ? [`and ${telling.length - MOST_MESSAGES} more`] : [])].join(
    '<br>',
  );
}

/**
 * Values are shown as code instead of in quotes, and without what a message has only sometimes at its end.
 * @param {string} message
 */
const textOf = (message) =>
  message
    .replaceAll(/ ?\{(hint|more)\}/g, '')
    .replaceAll('<', '&lt;')
    .replaceAll(/'?\{(\w+)\}'?/g, '`{$1}`')
    .replaceAll('``', '` `');
