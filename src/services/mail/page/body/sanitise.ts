import type { Attributes, IOptions } from 'sanitize-html';
import { htmlToText, textToHtml } from '../../mime/text.ts';
import type { InlineImages } from './images.ts';
import { destinationOf } from './links.ts';
import { countStyleSheetLoads, filterStyle } from './style-attribute.ts';

export interface Sanitised {
  readonly html: string;
  /** Number of removed references to external content. */
  readonly blocked: number;
}

const TAGS =
  'a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q rp rt ruby s samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr';

/** Attributes that only change the appearance of an element. The functions below add `href` and `src`. */
const APPEARANCE_ATTRIBUTES: ReadonlySet<string> = new Set(
  'abbr align alt bgcolor border cellpadding cellspacing color cols colspan compact dir face headers height hspace lang noshade nowrap reversed rowspan rules scope size span start title type valign value vspace width'.split(
    ' ',
  ),
);
const ADDED = ['style', 'href', 'target', 'rel', 'data-goes-to', 'src'];

/** Elements whose content is not readable text, or is parsed differently by browsers and by the sanitiser. */
const REMOVED_WITH_CONTENT =
  'script style textarea option select xmp noscript noembed noframes title template svg math object applet audio video iframe frameset plaintext'.split(
    ' ',
  );

/** Attributes that make an element load something. `href` does so on `link`, `image` and `use`; on `a`, it needs a click. */
const LOADING = [
  'src',
  'srcset',
  'background',
  'poster',
  'data',
  'lowsrc',
  'dynsrc',
  'longdesc',
  'code',
  'classid',
  'manifest',
];
const LOADS_BY_HREF: ReadonlySet<string> = new Set(['link', 'image', 'use', 'feimage', 'script']);

/** Elements nested deeper lose their tags, but keep their text. */
const DEEPEST_SHOWN = 200;
/** The parser's time is quadratic in the depth, so HTML that is nested deeper is shown as text. */
const DEEPEST_PARSED = 1000;

class TooDeep extends Error {}

/** Reduces the HTML of a message to text, styles, links and attached images. Loads the sanitiser with the first body. */
export async function sanitise(html: string, images: InlineImages): Promise<Sanitised> {
  const { default: sanitizeHtml } = await import('sanitize-html');
  let blocked = countStyleSheetLoads(html);
  let depth = 0;
  const options: IOptions = {
    allowedTags: TAGS.split(' '),
    allowedAttributes: { '*': [...APPEARANCE_ATTRIBUTES, ...ADDED] },
    nonTextTags: REMOVED_WITH_CONTENT,
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    // Styles are filtered here: parsing CSS for every attribute takes too long.
    parseStyleAttributes: false,
    nestingLimit: DEEPEST_SHOWN,
    onOpenTag() {
      depth += 1;
      if (depth > DEEPEST_PARSED) throw new TooDeep();
    },
    onCloseTag() {
      depth -= 1;
    },
    transformTags: {
      '*': (tagName, given) => {
        const { attribs, blocked: removed } = safeAttributes(tagName, given, images);
        blocked += removed;
        return { tagName, attribs };
      },
    },
  };
  try {
    return { html: sanitizeHtml(html, options), blocked };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return { html: textToHtml(htmlToText(html)), blocked };
  }
}

function safeAttributes(
  tag: string,
  given: Attributes,
  images: InlineImages,
): { readonly attribs: Attributes; readonly blocked: number } {
  const attribs: Attributes = {};
  for (const [name, value] of Object.entries(given)) if (APPEARANCE_ATTRIBUTES.has(name)) attribs[name] = value;
  const { style, blocked: inStyle } = filterStyle(given.style ?? '');
  if (style !== '') attribs.style = style;
  if (tag === 'a') Object.assign(attribs, linkAttributes(given.href ?? ''));
  const image = tag === 'img' ? images.addressOf(given.src ?? '') : undefined;
  if (image !== undefined) attribs.src = image;
  return { attribs, blocked: inStyle + countLoads(tag, given, image !== undefined) };
}

/** A link opens in a separate window without access to this one, and shows its destination, whatever its text is. */
function linkAttributes(address: string): Attributes {
  const destination = destinationOf(address);
  if (!destination) return {};
  const { href, shown } = destination;
  return { href, title: href, target: '_blank', rel: 'noopener noreferrer', 'data-goes-to': shown };
}

function countLoads(tag: string, given: Attributes, isShown: boolean): number {
  const names = LOADS_BY_HREF.has(tag) ? [...LOADING, 'href', 'xlink:href'] : LOADING;
  const isRefresh = tag === 'meta' && given['http-equiv']?.trim().toLowerCase() === 'refresh';
  const loads = names.filter((name) => isElsewhere(given[name]) && !(name === 'src' && isShown));
  return loads.length + (isRefresh ? 1 : 0);
}

const isElsewhere = (address: string | undefined): boolean =>
  address !== undefined && address.trim() !== '' && !/^\s*(?:data|cid|about):/i.test(address);
