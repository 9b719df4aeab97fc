import { control, dataOf, type operations } from '../../shared/api/control.ts';
import { Failure } from '../../shared/api/failure.ts';
import { literal } from '../../shared/list/filter.ts';
import type { RowOf } from '../../shared/list/pages.ts';

export type Inbox = RowOf<'/_jar/inbox'>;
export type Behaviour = Inbox['behaviour'];
export type WantedBehaviour = NonNullable<
  operations['Jar_PutInboxBehaviour']['requestBody']
>['content']['application/json'];
export type ReceivedRequest = RowOf<'/_jar/inbox/{name}/requests'>;

/** What tells that an inbox has received something or answers otherwise. A received GET is only a request. */
export const INBOX_SIGNALS = ['/_jar/inbox', 'requests'] as const;

export async function findInbox(name: string, signal?: AbortSignal): Promise<Inbox | null> {
  const query = { $filter: `name eq ${literal(name.toLowerCase())}` };
  const { value } = await dataOf(control.GET('/_jar/inbox', { params: { query }, ...(signal && { signal }) }));
  return value[0] ?? null;
}

export async function putBehaviour(name: string, body: WantedBehaviour): Promise<Behaviour> {
  return dataOf(control.PUT('/_jar/inbox/{name}/behaviour', { params: { path: { name } }, body }));
}

/** Setting its behaviour makes an inbox, without a request in it. One that exists keeps its behaviour. */
export async function makeInbox(name: string): Promise<string> {
  if (await findInbox(name)) throw new Failure(409, 'InboxExists', `There is an inbox '${name}' already.`, 'name');
  await putBehaviour(name, {});
  return name.toLowerCase();
}

const MADE = 'inbox-';

/** A name that no inbox has. */
export async function freeName(): Promise<string> {
  const query = { $filter: `startswith(name,${literal(MADE)})`, $top: 1000 };
  const { value } = await dataOf(control.GET('/_jar/inbox', { params: { query } }));
  const taken = new Set(value.map(({ name }) => name));
  let number = 1;
  while (taken.has(`${MADE}${number}`)) number += 1;
  return `${MADE}${number}`;
}

/** Sends to an inbox as any sender would: without the session. */
export async function sendExample(name: string): Promise<void> {
  const response = await fetch(`/_jar/inbox/${encodeURIComponent(name)}/example`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Sent by the console', order: 7 }),
    credentials: 'omit',
  });
  // An answer that the inbox was told to give is no failure of the console.
  await response.arrayBuffer();
}
