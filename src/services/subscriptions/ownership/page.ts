import { type Answer, html, page, type Route } from '../../../kernel/http/index.ts';
import { route } from '../jar.ts';
import { NAMESPACE } from '../names.ts';
import { SIGNED_IN_PATH } from './application.ts';
import { OWNERSHIP_SCRIPT } from './script.ts';

const ownershipPage = (): Answer =>
  page({
    title: 'Accept a subscription',
    content: html`<h1>Accept a subscription</h1>
<p id="status" role="status"></p>
<button id="sign-in" type="button" hidden>Sign in</button>
<form id="accept" hidden>
<label for="name">Name of the subscription</label>
<input id="name" maxlength="64" required>
<button type="submit">Accept</button>
</form>
<noscript><p class="problem">This page needs JavaScript.</p></noscript>`,
    script: OWNERSHIP_SCRIPT,
    calls: true,
  });

const common = {
  method: 'GET',
  open: true,
  produces: 'text/html',
  responses: { 200: 'HTML' },
  handle: ownershipPage,
} as const;

/** One page at two addresses: the acceptance link and the redirect URI of the sign-in. */
export const ownershipPages: readonly Route[] = [
  route({
    ...common,
    path: `/providers/${NAMESPACE}/subscriptions/{subscriptionId}/acceptOwnership`,
    operation: 'Subscription_OwnershipPage',
    summary: 'The page on which a new owner signs in and accepts a subscription',
  }),
  route({
    ...common,
    path: SIGNED_IN_PATH,
    operation: 'Subscription_OwnershipSignedIn',
    summary: 'The same page, after the sign-in',
  }),
];
