import { addressOf, useAddressParam, useSegments } from '../../shared/address.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Sections } from '../../shared/ui/sections.tsx';
import { Changes } from './changes.tsx';
import { NewSubscription } from './new-subscription.tsx';
import { Records } from './records.tsx';
import { Removed } from './removed.tsx';
import { Subscriptions } from './subscriptions.tsx';
import { Windows } from './windows.tsx';

const SECTIONS = [
  { id: 'records', title: 'Records', Part: Records },
  { id: 'changes', title: 'Changes', Part: Changes },
  { id: 'windows', title: 'Windows', Part: Windows },
  { id: 'subscriptions', title: 'Subscriptions', Part: Subscriptions },
  { id: 'removed', title: 'Removed subscriptions', Part: Removed },
] as const;

/** Companies with their records, who is notified of changes, and the outcome of each change. */
export default function Business() {
  const [section = 'records', ...rest] = useSegments('business');
  const [form, show] = useAddressParam('form');
  const mayChange = useMayChange();
  const current = SECTIONS.find(({ id }) => id === section) ?? SECTIONS[0];
  return (
    <Page
      title="Business application"
      about="Records, webhook subscriptions, and the way of each change to its notification."
      actions={mayChange && <Button onPress={() => show('subscription')}>Subscribe a webhook</Button>}
      isFull
    >
      <Sections
        label="Business application"
        sections={SECTIONS.map(({ id, title }) => ({
          title,
          address: addressOf('business', id),
          isCurrent: id === current.id,
        }))}
      />
      <current.Part key={current.id} rest={rest} />
      {mayChange && form === 'subscription' && <NewSubscription close={() => show(undefined)} />}
    </Page>
  );
}
