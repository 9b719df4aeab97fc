import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { bytes, milliseconds } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { literal } from '../../shared/list/filter.ts';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Facts, Mono, Stack } from '../../shared/ui/layout.tsx';
import type { RequestDocument } from './curl.ts';
import { Verdict } from './verdict.tsx';

/** What happened with a request, and why. */
export function Summary({ request }: { readonly request: RequestDocument }) {
  const { service, operation, caller, at, systemAt, ms, requestBytes, answerBytes, delivery, direction } = request;
  return (
    <Stack>
      <Verdict request={request} />
      <Facts
        facts={[
          { label: 'Service', value: <Link href={listOf(`service eq '${service}'`)}>{service}</Link> },
          { label: 'Operation', value: operation && <Mono>{operation}</Mono> },
          {
            label: 'Caller',
            value: caller && <Link href={listOf(`caller eq ${literal(caller)}`)}>{caller}</Link>,
          },
          { label: direction === 'inbound' ? 'Received' : 'Sent', value: <Time at={systemAt} wall /> },
          Math.abs(Date.parse(at) - Date.parse(systemAt)) > NOTABLE_MS && {
            label: "By the jar's clock",
            value: <Mono>{at}</Mono>,
          },
          { label: 'Duration', value: milliseconds(ms) },
          { label: 'Request body', value: requestBytes === undefined ? undefined : bytes(requestBytes) },
          { label: 'Answer body', value: answerBytes === undefined ? undefined : bytes(answerBytes) },
          delivery !== undefined && {
            label: 'Delivery',
            value: (
              <Link href={addressOf('deliveries', delivery.id)}>
                {delivery.policy}, attempt {delivery.attempt}
              </Link>
            ),
          },
          delivery?.nextAt !== undefined && { label: 'Next attempt', value: <Time at={delivery.nextAt} /> },
          ...identifiers(request),
        ]}
      />
    </Stack>
  );
}

function identifiers({ requestId, clientRequestId, traceparent, repeats }: RequestDocument) {
  const [, trace] = /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent ?? '') ?? [];
  return [
    { label: 'Request id', value: requestId && <CopyId id={requestId} length={40} /> },
    { label: 'Client request id', value: clientRequestId && <CopyId id={clientRequestId} length={40} /> },
    {
      label: 'Trace',
      value: trace === undefined ? traceparent : <Link href={listOf(`contains(traceparent,'${trace}')`)}>{trace}</Link>,
    },
    {
      label: 'Repeats',
      value: repeats && <Link href={addressOf('requests', repeats)}>the request {repeats}</Link>,
    },
  ];
}

/** A smaller difference of the clocks is not worth a line. */
const NOTABLE_MS = 5_000;

/** The list of requests with this filter. */
const listOf = (filter: string): string => `${addressOf('requests')}?filter=${encodeURIComponent(filter)}`;
