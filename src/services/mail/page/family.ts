import { type ApiFamily, html, page } from '../../../kernel/http/index.ts';
import { errorAnswer, MAIL_FAMILY } from '../family.ts';
import type { MailShape } from '../shape.ts';
import { MAIL_PAGES } from './names.ts';

const CALLED_BY_SCRIPT = /^\/mail\/(?:messages|events)\//i;

/**
 * Pages and assets need no authentication, and their errors are pages. Requests of the script, with a token, are answered as the API
 * answers.
 */
export const PAGE_FAMILY: ApiFamily<MailShape> = {
  name: MAIL_PAGES,
  steps: [],
  renderError: (error, call) =>
    CALLED_BY_SCRIPT.test(call.path)
      ? errorAnswer(error, call)
      : page({
          status: error.status,
          title: 'Mail',
          content: html`<h1>Something went wrong</h1><p class="problem" role="alert">${error.message}</p>`,
        }),
  commonHeaders: ({ requestId }) => ({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'request-id': requestId,
  }),
  bodyLimitBytes: 1024,
  cors: false,
  codes: MAIL_FAMILY.codes,
};
