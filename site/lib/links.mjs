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

/** The address of a jar in the pages. The site is served by a jar, which may have another one. */
const JAR = 'http://localhost:7400/';

/**
 * Links to other pages of the jar, such as those of the API, lead to the jar that serves the site.
 * @param {import('vitepress').MarkdownRenderer} markdown
 */
export function linkToThisJar({ renderer }) {
  const open = renderer.rules.link_open;
  renderer.rules.link_open = (tokens, index, ...rest) => {
    const html = open(tokens, index, ...rest);
    if (!tokens[index].attrGet('href')?.startsWith(JAR)) return html;
    return html.replace(`"${JAR}`, '"/').replace('target="_blank"', 'target="_self"');
  };
}

/**
 * @param {string} href
 * @param {string} page its path in docs/
 */
function isOutside(href, page) {
  if (/^(\w+:|\/|#)/.test(href)) return false;
  return posix.join(posix.dirname(page), href).startsWith('..');
}
