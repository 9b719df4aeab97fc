/**
 * A Markdown table. Cells are text of our own tables; a bar would end a cell.
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows
 */
export const tableOf = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n');

/** @param {string} text */
const cellOf = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** @param {string} text */
export const code = (text) => `\`${text}\``;

/**
 * @param {{ title: string, source: string, introduction: string, sections: readonly { heading: string, text: string }[] }} page
 */
export const generatedPage = ({ title, source, introduction, sections }) =>
  `${[
    `# ${title}`,
    `<!-- Generated from ${source} by npm run docs:reference; edit the table there. -->`,
    introduction.trim(),
    ...sections.map(({ heading, text }) => `## ${heading}\n\n${text}`),
  ].join('\n\n')}\n`;

/** The pages of the services, by the names in their manifests. */
export const SERVICE_PAGES = /** @type {Readonly<Record<string, string>>} */ ({
  resources: 'resources.md',
  subscriptions: 'subscriptions.md',
  'management-groups': 'management-groups.md',
  identity: 'identity.md',
  containers: 'containers.md',
  events: 'events.md',
  datashare: 'datashare.md',
  business: 'business.md',
  translator: 'translator.md',
  lifecycle: 'lifecycle.md',
  datasets: 'datasets.md',
  mail: 'mail.md',
  platform: 'platform.md',
});
