/** Where a link of a message leads. */
export interface Destination {
  readonly href: string;
  /** What people are shown beside the link: the host, or the address of a mail. */
  readonly shown: string;
}

const LONGEST_SHOWN = 100;
const LONGEST_ADDRESS = 8000;

/**
 * Absolute addresses of the web, mail and telephones; undefined for all others. A relative address would lead to the jar itself, in whose page the message is
 * shown. Hosts are shown as the URL standard writes them (`xn--…`), so that letters that look alike deceive nobody.
 */
export function destinationOf(address: string): Destination | undefined {
  const url = address.length > LONGEST_ADDRESS ? null : URL.parse(address.trim());
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return { href: url.href, shown: url.host };
  if (url?.protocol === 'mailto:' || url?.protocol === 'tel:')
    return { href: url.href, shown: url.pathname.slice(0, LONGEST_SHOWN) };
  return undefined;
}
