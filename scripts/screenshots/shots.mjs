/**
 * @typedef {object} Shot
 * @property {string} name of the file
 * @property {(scene: import('./scene/index.mjs').Scene) => string} address in the console
 * @property {string | RegExp} ready text that is there when the page is complete
 * @property {(page: import('playwright-core').Page) => Promise<unknown>} [act] what is done before the picture
 */

const GROUPS = 'containers/10000000-0000-4000-8000-0000000000f1';

/** @type {readonly Shot[]} */
export const SHOTS = [
  { name: 'overview', address: () => 'overview?minutes=1', ready: 'What failed last' },
  {
    name: 'event',
    address: ({ event }) => `events/traces/${event}`,
    ready: 'Compared with the filters',
    act: (page) => page.getByText(/data\.total/).scrollIntoViewIfNeeded(),
  },
  { name: 'time', address: () => 'time?advance=1h', ready: 'First item' },
  { name: 'containers', address: () => `${GROUPS}/shop/importer`, ready: 'import ended with exit code 1.' },
  { name: 'job', address: ({ run }) => `platform/runs/${run}`, ready: 'forecast' },
  { name: 'experiment', address: ({ experiment }) => `platform/experiments/${experiment}`, ready: 'steady' },
];
