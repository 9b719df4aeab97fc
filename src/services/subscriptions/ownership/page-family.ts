import { MANAGEMENT } from '../../../kernel/arm/index.ts';
import { type ApiFamily, html, page } from '../../../kernel/http/index.ts';
import { OWNERSHIP_PAGES } from '../names.ts';

/** Pages for browsers, with errors as pages. The script of the page authenticates the user. */
export const PAGE_FAMILY: ApiFamily = {
  name: OWNERSHIP_PAGES,
  steps: [],
  renderError: ({ status, message }) =>
    page({
      status,
      title: 'Subscription ownership',
      content: html`<h1>Something went wrong</h1><p class="problem" role="alert">${message}</p>`,
    }),
  commonHeaders: ({ requestId }) => ({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-ms-request-id': requestId,
  }),
  bodyLimitBytes: MANAGEMENT.bodyLimitBytes,
  cors: false,
  codes: MANAGEMENT.codes,
};
