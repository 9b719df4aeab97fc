import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { milliseconds } from '../../shared/format/numbers.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import type { RequestDocument } from './curl.ts';
import { SLOW_MS } from './filters.ts';

/** What happened, why, and what to do. */
export function Verdict({ request }: { readonly request: RequestDocument }) {
  const { direction } = request;
  return direction === 'inbound' ? <Received request={request} /> : <Sent request={request} />;
}

function Received({ request }: { readonly request: RequestDocument }) {
  const { status, ms, error, fault } = request;
  const why = error?.message;
  if (fault !== undefined)
    return (
      <Notice
        tone="warning"
        title={
          status === undefined
            ? 'A fault rule closed the connection.'
            : `A fault rule struck; the answer was ${status}.`
        }
      >
        <span>
          {why} <Link href={addressOf('faults', fault)}>Show the rule {fault}</Link>
        </span>
      </Notice>
    );
  if (status === undefined)
    return (
      <Notice tone="failure" title="There was no answer.">
        {why ?? 'The client left before the jar had answered.'}
      </Notice>
    );
  if (status < 400)
    return (
      <Notice tone={ms >= SLOW_MS ? 'warning' : 'success'} title={`Answered with ${status} after ${milliseconds(ms)}.`}>
        {ms >= SLOW_MS && 'That is slow: the request waited for something, or the jar was busy.'}
      </Notice>
    );
  return (
    <Notice
      tone={status >= 500 ? 'failure' : 'warning'}
      title={`${status >= 500 ? 'Failed' : 'Refused'} with ${status}${error?.code ? `, ${error.code}` : ''}.`}
    >
      <span>{why}</span>
      <Advice request={request} />
    </Notice>
  );
}

/** What a person can do about a refusal, by its status. */
function Advice({ request: { status, service, response } }: { readonly request: RequestDocument }): ReactNode {
  switch (status) {
    case 401:
      return (
        <span>The credential is missing, expired, or for another API. A fresh token may be enough: send it again.</span>
      );
    case 429: {
      const wait = response?.headers['retry-after'];
      return (
        <span>
          A limit of the service is used up{wait !== undefined && `; the client may come back after ${wait} s`}.{' '}
          <Link href={`${addressOf('limits')}?filter=${encodeURIComponent(`service eq '${service}'`)}`}>
            Show the limits
          </Link>
        </span>
      );
    }
    default:
      return null;
  }
}

function Sent({ request }: { readonly request: RequestDocument }) {
  const { status, ms, error, fault, delivery } = request;
  if (!delivery || delivery.outcome === 'Succeeded')
    return (
      <Notice
        tone="success"
        title={`Accepted${status === undefined ? '' : ` with ${status}`} after ${milliseconds(ms)}.`}
      />
    );
  const title = status === undefined ? 'The receiver did not answer' : `The receiver answered ${status}`;
  return (
    <Notice tone="failure" title={`${title}: ${delivery.outcome}.`}>
      <span>
        {error?.message}{' '}
        {delivery.nextAt === undefined ? 'There is no further attempt.' : 'The jar tries again by itself.'}{' '}
        <Link href={addressOf('deliveries', delivery.id)}>Show all attempts</Link>{' '}
        {fault !== undefined && <Link href={addressOf('faults', fault)}>Show the fault rule {fault}</Link>}
      </span>
    </Notice>
  );
}
