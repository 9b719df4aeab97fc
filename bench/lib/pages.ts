import type { JarProcess } from './contenders.ts';
import { groupAddresses } from './documents.ts';

export interface Pages {
  readonly token: string;
  /** Links to full pages. */
  readonly links: readonly string[];
}

interface ListBody {
  readonly value: readonly unknown[];
  readonly nextLink?: string;
}

/** Walks the jar's list of resource groups in steps, and collects a link to a page of `size` at each of them. */
export async function collectPages(jar: JarProcess, size: number, step: number): Promise<Pages> {
  const { token, list } = await groupAddresses(jar);
  const links: string[] = [];
  let next: string | undefined = `${jar.url}${list}&$top=${step}`;
  while (next !== undefined) {
    const { value, nextLink }: ListBody = await ask(next, token);
    if (value.length >= size) links.push(next.replace(/([?&](?:%24|\$)top=)\d+/i, `$1${size}`));
    next = nextLink;
  }
  return { token, links };
}

/** Fetches a random page and returns its number of documents. */
export async function fetchAnyPage({ token, links }: Pages): Promise<number> {
  const link = links[Math.floor(Math.random() * links.length)];
  if (link === undefined) throw new Error('the list has no full page');
  return (await ask(link, token)).value.length;
}

async function ask(url: string, token: string): Promise<ListBody> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as ListBody;
}
