/** The destination of a link in a message. */
export interface Destination {
  readonly href: string;
  /** Text shown beside the link: the host, or the mail address. */
  readonly shown: string;
}

const LONGEST_SHOWN = 100;
const LONGEST_ADDRESS = 8000;

/**
 * Accepts absolute web, mail and telephone URLs; undefined for all others. A relative URL would lead to the jar itself, whose page shows
 * the message. Hosts are shown in the URL standard's form (`xn--…`), so that look-alike letters cannot deceive users.
 */
export function destinationOf(address: string): Destination | undefined {
  const url = address.length > LONGEST_ADDRESS ? null : URL.parse(address.trim());
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return { href: url.href, shown: url.host };
  if (url?.protocol === 'mailto:' || url?.protocol === 'tel:')
    return { href: url.href, shown: url.pathname.slice(0, LONGEST_SHOWN) };
  return undefined;
}
