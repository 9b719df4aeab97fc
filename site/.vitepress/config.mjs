import { defineConfig } from 'vitepress';
import { sidebarOf } from '../lib/contents.mjs';
import { drawDiagrams } from '../lib/diagrams.mjs';
import { anchorOf } from '../lib/headings.mjs';
import { dropLinksOutside, linkToThisJar } from '../lib/links.mjs';

/** Where the jar serves the site: src/control/docs/site.ts. */
const BASE = '/_jar/docs/';

export default defineConfig({
  title: 'Cloudjar',
  description: 'A whole vendor cloud in a jar: guides and reference.',
  lang: 'en',
  base: BASE,
  // A copy of docs/ that scripts/lib/docs.mjs makes: pages find packages only below this folder.
  srcDir: '.pages',
  cacheDir: 'node_modules/.vitepress-cache',
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  vite: {
    // Not the tsconfig.json of the project.
    esbuild: { tsconfigRaw: '{}' },
    // The search index, which is loaded with the first search.
    build: { chunkSizeWarningLimit: 2000 },
  },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    anchor: { slugify: anchorOf },
    config(markdown) {
      drawDiagrams(markdown);
      dropLinksOutside(markdown);
      linkToThisJar(markdown);
      keepBraces(markdown);
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/testing' },
      { text: 'Services', link: '/services/events' },
      { text: 'Reference', link: '/reference/cli' },
      // Served by the jar itself, outside of this site's own routing.
      { text: 'API', link: '/api', target: '_self', noIcon: true },
    ],
    sidebar: sidebarOf(new URL('../.pages/index.md', import.meta.url)),
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: false, next: false },
  },
});

/**
 * Pages are compiled as Vue templates, in which `{{` begins an expression. Pages about references such as `{{job.id}}` mean the text.
 * @param {import('vitepress').MarkdownRenderer} markdown
 */
function keepBraces({ renderer }) {
  const render = renderer.render.bind(renderer);
  renderer.render = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
}
