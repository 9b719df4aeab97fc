import { posix } from 'node:path';

/**
 * Links from a page to files outside of docs/, such as tests and the change log, lead nowhere on the site: their text stays, without the link.
 * @param {import('vitepress').MarkdownRenderer} markdown
 */
export function dropLinksOutside(markdown) {
  markdown.core.ruler.push('links-outside', ({ tokens, env }) => {
    for (const { children } of tokens) {
      if (!children) continue;
      let isDropped = false;
      for (const token of children) {
        if (token.type === 'link_open') isDropped = isOutside(token.attrGet('href') ?? '', env.relativePath ?? '');
        if (!isDropped || !/^link_(open|close)$/.test(token.type)) continue;
        if (token.type === 'link_close') isDropped = false;
        token.type = 'text';
        token.content = '';
      }
    }
  });
}

/**
 * @param {string} href
 * @param {string} page its path in docs/
 */
function isOutside(href, page) {
  if (/^(\w+:|\/|#)/.test(href)) return false;
  return posix.join(posix.dirname(page), href).startsWith('..');
}
