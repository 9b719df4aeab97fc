import { attributeReader, htmlTokens } from './html-tokens.ts';

/**
 * The part of a body that its author wrote, without the quoted earlier messages: Graph's uniqueBody. There is no standard for quoting, so
 * this recognises the marks of common mail clients. A body without such a mark is unique as a whole.
 */
export function uniquePart(body: string, type: 'text' | 'html'): string {
  return type === 'html' ? uniqueHtml(body) : uniqueText(body);
}

const ATTRIBUTION =
  /^(?:on|am|le|el|il|op|den|em)\b.{5,300}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev|escreveu)\b.{0,100}:\s*$/i;
const ORIGINAL =
  /^-{2,}\s*(?:original message|forwarded message|urspr\S{1,8}ngliche nachricht|message d'origine|mensaje original)\s*-{2,}$/i;
const RULE = /^_{10,}$/;
const FIRST_FIELD = /^\*?(?:from|von|de|da|van)\s?:\*?\s/i;
const SECOND_FIELD = /^\*?(?:sent|date|to|gesendet|datum|an|envoyé|enviado|inviato|verzonden)\s?:\*?\s/i;

function uniqueText(text: string): string {
  const lines = text.split('\n');
  const at = lines.findIndex((_, position) => beginsQuote(lines, position));
  const own = at < 0 ? lines : lines.slice(0, at);
  // Quoted lines at the end without an attribution line.
  let end = own.length;
  while (end > 0 && /^\s*(?:>.*)?$/.test(own[end - 1]?.slice(0, 1_000) ?? '')) end -= 1;
  return own.slice(0, end).join('\n').trimEnd();
}

function beginsQuote(lines: readonly string[], position: number): boolean {
  const line = (at: number): string => (lines[at] ?? '').slice(0, 500).trim();
  const first = line(position);
  if (first === '') return false;
  if (ORIGINAL.test(first) || ATTRIBUTION.test(first)) return true;
  // Clients wrap the attribution over two lines: `On Monday, Ann <ann@a.example>` and `wrote:`.
  if (/^(?:on|am|le|el)\b/i.test(first) && ATTRIBUTION.test(`${first} ${line(position + 1)}`)) return true;
  if (RULE.test(first)) return FIRST_FIELD.test(line(position + 1));
  return FIRST_FIELD.test(first) && SECOND_FIELD.test(line(position + 1));
}

/** Ids and classes of elements that contain the earlier message in common mail clients. */
const QUOTE_IDS =
  /^(?:x_)*(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|stopSpelling|isForwardContent|OLK_SRC_BODY_SECTION|replySplit)$/i;
const QUOTE_CLASSES =
  /(?:^|\s)(?:gmail_quote|gmail_quote_container|gmail_attr|moz-cite-prefix|yahoo_quoted|protonmail_quote|zmail_extra)(?:\s|$)/i;
/** The line above the header block in the Windows client. */
const QUOTE_STYLE = /border-top:\s?solid\s(?:#E1E1E1|#B5C4DF)\s1\.0pt/i;

const idOf = attributeReader('id');
const typeOf = attributeReader('type');
const classOf = attributeReader('class');
const styleOf = attributeReader('style');

function uniqueHtml(html: string): string {
  for (const token of htmlTokens(html)) {
    if (token.kind === 'tag' && !token.isEnd && isQuote(token.name, token.attributes)) {
      const rest = html.slice(token.from);
      const end = `${/<\/body\s*>/i.test(rest.slice(-200)) ? '</body>' : ''}${/<\/html\s*>/i.test(rest.slice(-200)) ? '</html>' : ''}`;
      return html.slice(0, token.from) + end;
    }
  }
  return html;
}

function isQuote(name: string, attributes: string): boolean {
  if (attributes === '') return false;
  if (QUOTE_IDS.test(idOf(attributes))) return true;
  if (name === 'blockquote') return typeOf(attributes).toLowerCase() === 'cite';
  if (name !== 'div') return false;
  return QUOTE_CLASSES.test(classOf(attributes)) || QUOTE_STYLE.test(styleOf(attributes));
}
