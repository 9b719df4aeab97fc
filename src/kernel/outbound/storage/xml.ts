/**
 * Parses the responses of storage services, which consist of elements with text. XML features that they never use (document types, CDATA,
 * comments inside elements) are refused.
 */
export interface XmlElement {
  readonly name: string;
  /** The element's own text with references resolved; empty if it has child elements. */
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

export class XmlError extends Error {}

const TOKEN = /<\?[^>]*\?>|<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const REFERENCE = /&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]+);/gi;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const LAST_CODE_POINT = 0x10ffff;
const MOST_DEPTH = 32;

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
}

export function readXml(text: string): XmlElement {
  const document: Open = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const current = open.at(-1) as Open;
    const next = text.indexOf('<', at);
    const end = next === -1 ? text.length : next;
    if (end > at) current.text += resolved(text.slice(at, end));
    if (next === -1) break;
    TOKEN.lastIndex = next;
    const token = TOKEN.exec(text);
    if (!token) throw new XmlError(`there is no element at character ${next}`);
    at = TOKEN.lastIndex;
    const [, isEnd, name, attributes = '', isEmpty] = token;
    if (name === undefined) continue;
    if (isEnd) close(open, name);
    else {
      if (open.length > MOST_DEPTH) throw new XmlError('elements are nested too deeply');
      open.push({ name, attributes: attributesIn(attributes), children: [], text: '' });
      if (isEmpty) close(open, name);
    }
  }
  const [root, ...others] = document.children;
  if (open.length > 1 || !root || others.length > 0) throw new XmlError('it is not one whole element');
  return root;
}

function close(open: Open[], name: string): void {
  const ended = open.pop() as Open;
  const parent = open.at(-1);
  if (!parent || ended.name !== name) throw new XmlError(`'${name}' ends and has not begun`);
  const { attributes, children } = ended;
  parent.children.push({ name, attributes, children, text: children.length === 0 ? ended.text : '' });
}

function attributesIn(text: string): Record<string, string> {
  const found: [string, string][] = [];
  for (const [, name = '', double, single = ''] of text.matchAll(ATTRIBUTE)) {
    found.push([name, resolved(double ?? single)]);
  }
  return Object.fromEntries(found);
}

function resolved(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (reference, said: string) => {
    if (!said.startsWith('#')) {
      const named = NAMED[said];
      if (named === undefined) throw new XmlError(`'${reference}' is not known`);
      return named;
    }
    const point = /^#x/i.test(said) ? Number.parseInt(said.slice(2), 16) : Number(said.slice(1));
    if (point > LAST_CODE_POINT) throw new XmlError(`'${reference}' is no character`);
    return String.fromCodePoint(point);
  });
}

/** Returns the text at a path of element names; undefined if there is no such element. */
export function textAt(element: XmlElement, ...path: readonly string[]): string | undefined {
  let found: XmlElement | undefined = element;
  for (const name of path) found = found?.children.find((child) => child.name === name);
  return found?.text;
}
