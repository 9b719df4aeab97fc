import { readFileSync } from 'node:fs';

/**
 * The table of contents in docs/index.md as the sidebar of the site: each `## ` heading is a section, each list item a page. Items that are indented belong
 * to the page above them.
 * @param {URL} page
 * @returns {{ text: string, collapsed: boolean, items: Entry[] }[]}
 * @typedef {{ text: string, link: string, collapsed?: boolean, items?: Entry[] }} Entry
 */
export function sidebarOf(page) {
  const sections = [];
  for (const line of readFileSync(page, 'utf8').split('\n')) {
    const [, heading] = /^## (.*)$/.exec(line) ?? [];
    if (heading !== undefined) sections.push({ text: heading, collapsed: false, items: [] });
    const [, indent = '', text = '', link = ''] = /^( *)- \[([^\]]+)\]\(([^)#]+)\.md\)/.exec(line) ?? [];
    const items = sections.at(-1)?.items;
    if (link === '' || !items) continue;
    const entry = { text, link: `/${link}` };
    const parent = items.at(-1);
    if (indent === '' || !parent) items.push(entry);
    else {
      parent.items ??= [];
      parent.items.push(entry);
      parent.collapsed = true;
    }
  }
  return sections.filter(({ items }) => items.length > 0);
}
