import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import type { DeliveryDocument } from './detail.tsx';

/** Did it arrive, and if not, why not, and what to do. */
export function Verdict({ delivery }: { readonly delivery: DeliveryDocument }) {
  const { state, lastAttempt, attempts, cause } = delivery;
  switch (state) {
    case 'delivered':
      return <Notice tone="success" title={`It arrived, with attempt ${attempts}.`} />;
    case 'queued':
      return <Waiting delivery={delivery} />;
    case 'dead-lettered':
    case 'dropped':
      return (
        <Notice tone="failure" title={`It was given up: ${reasonOf(lastAttempt ?? { outcome: cause })}.`}>
          {state === 'dropped' && 'It is not among the dead letters. '}Mend the receiver, then send it again.
        </Notice>
      );
    default:
      return <Notice tone="warning" title={`It was ${state}.`} />;
  }
}

/** A delivery waits because it failed itself, or because others to the same destination did. */
function Waiting({ delivery }: { readonly delivery: DeliveryDocument }) {
  const { attempts, lastAttempt, destinationFailures: failing } = delivery;
  const onProbation = failing?.state === 'probation';
  if (attempts === 0 && !onProbation) return <Notice title="It waits for its first attempt." />;
  const title =
    attempts === 0
      ? `It waits, because its destination fails: ${reasonOf(failing)}.`
      : `It has not arrived yet: ${reasonOf(lastAttempt)}.`;
  return (
    <Notice tone="warning" title={title}>
      {onProbation && failing.until !== undefined ? (
        <>
          After {counted(failing.failures, 'failure')} in a row, nothing is sent to the destination until{' '}
          <Time at={failing.until} />. Mend the receiver, then <Link href={ADVANCE}>advance the clock</Link>.
        </>
      ) : (
        'The jar tries again by itself; advancing the clock brings the next attempt.'
      )}
    </Notice>
  );
}

const ADVANCE = addressOf('time');

interface Failed {
  readonly outcome?: string | undefined;
  readonly status?: number;
  readonly error?: string;
}

function reasonOf(failed: Failed | undefined): string {
  if (failed?.error !== undefined) return failed.error;
  return failed?.status === undefined ? (failed?.outcome ?? 'unknown') : `the receiver answered ${failed.status}`;
}
