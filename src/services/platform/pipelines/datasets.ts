/** The tables and views that a source defines literally. Names that a program computes are not found. */
export const datasetsIn = (source: string): readonly string[] =>
  [...new Set([...inSql(source), ...inPython(source)])].slice(0, MOST_DATASETS);

/** Maximum number of datasets of a pipeline: their events are written in one transaction. */
export const MOST_DATASETS = 1000;

const LONGEST_NAME = 255;

/** Words between CREATE and the kind of the created object. */
const BETWEEN: ReadonlySet<string> = new Set(
  'OR REFRESH REPLACE TEMPORARY PRIVATE STREAMING LIVE INCREMENTAL MATERIALIZED'.split(' '),
);
const CREATED: ReadonlySet<string> = new Set(['TABLE', 'VIEW']);
const CONDITION = ['IF', 'NOT', 'EXISTS'];

/** Finds `CREATE OR REFRESH STREAMING TABLE orders AS …`. Works word by word, so that the time is linear in the length of the text. */
function inSql(source: string): readonly string[] {
  const words = source.split(/\s+/);
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    if (words[at]?.toUpperCase() !== 'CREATE') continue;
    let next = at + 1;
    while (BETWEEN.has(words[next]?.toUpperCase() ?? '')) next++;
    if (!CREATED.has(words[next]?.toUpperCase() ?? '')) continue;
    next++;
    if (CONDITION.every((word, index) => words[next + index]?.toUpperCase() === word)) next += CONDITION.length;
    const name = /^[\w.`]+/.exec(words[next]?.slice(0, LONGEST_NAME) ?? '')?.[0].replaceAll('`', '');
    if (name !== undefined && name !== '') found.push(name);
    at = next;
  }
  return found;
}

/** Finds `@dlt.table`, `@dp.materialized_view(name="orders")`: the given name, otherwise the name of the function. */
function inPython(source: string): readonly string[] {
  const found: string[] = [];
  let isDecorated = false;
  let named: string | undefined;
  for (const whole of source.split('\n')) {
    const line = whole.slice(0, 1000).trim();
    if (/^@(?:dlt|dp)\.(?:create_)?(?:table|view|materialized_view|temporary_view)\b/.test(line)) isDecorated = true;
    if (!isDecorated) continue;
    named ??= /\bname ?= ?["']([^"']{1,255})["']/.exec(line)?.[1];
    const own = /^def (\w{1,255})/.exec(line)?.[1];
    if (own === undefined) continue;
    found.push(named ?? own);
    isDecorated = false;
    named = undefined;
  }
  return found;
}
