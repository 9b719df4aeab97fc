import { renderMermaidSVG } from 'beautiful-mermaid';

/** The colours come from the site's own variables, so that one drawing serves the light and the dark look (theme/style.css). */
const COLOURS = { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', transparent: true };

/**
 * Draws fenced blocks of the language `mermaid` when the site is built: readers need no script for them, and nothing is fetched.
 * @param {import('vitepress').MarkdownRenderer} markdown
 */
export function drawDiagrams(markdown) {
  const fence = markdown.renderer.rules.fence;
  let count = 0;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index];
    if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest);
    count += 1;
    return `<figure class="diagram" role="img" tabindex="0">${drawingOf(content, `diagram-${count}`)}</figure>\n`;
  };
}

/**
 * @param {string} source
 * @param {string} prefix makes the ids of the drawing unique on a page
 */
function drawingOf(source, prefix) {
  return (
    renderMermaidSVG(source, COLOURS)
      // Its style would fetch a font; what is needed of it is in theme/style.css.
      .replace(/<style>[\s\S]*?<\/style>/, '')
      .replaceAll(/\bid="([^"]+)"/g, `id="${prefix}-$1"`)
      .replaceAll(/url\(#([^)]+)\)/g, `url(#${prefix}-$1)`)
      .replaceAll(/\n\s*/g, '\n')
  );
}
