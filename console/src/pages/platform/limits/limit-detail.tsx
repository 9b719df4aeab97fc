import { useState } from 'react';
import { Link } from 'wouter';
import { addressOf } from '../../../shared/address.ts';
import { useAction } from '../../../shared/api/use-action.ts';
import { count } from '../../../shared/format/numbers.ts';
import { useMayChange } from '../../../shared/session.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { TextField } from '../../../shared/ui/field.tsx';
import { Facts, Row, Section, Stack } from '../../../shared/ui/layout.tsx';
import { Meter } from '../../../shared/ui/meter.tsx';
import { usePlatform } from '../api.ts';
import type { Limit } from './api.ts';

/** One limit: how full it is where, and a way to ask for more. */
export function LimitDetail({ limit }: { readonly limit: Limit }) {
  const { name, resource, metric, unit, scope, fixed, measure, status, mode, use = [] } = limit;
  return (
    <Detail
      kind={limit.table === 'RATES' ? 'Rate limit' : 'Resource limit'}
      title={`${resource}: ${metric}`}
      badges={
        <>
          <Badge>{mode.toLowerCase()}</Badge>
          {fixed && <Badge>fixed</Badge>}
        </>
      }
    >
      <Stack>
        <Facts
          facts={[
            { label: 'Name', value: name },
            { label: 'Published', value: limit.limit === undefined ? 'no number' : `${count(limit.limit)} ${unit}` },
            { label: 'In force', value: limit.in_force === undefined ? 'unlimited' : count(limit.in_force) },
            { label: 'Per', value: scope.toLowerCase() },
            { label: 'Counts', value: measure.toLowerCase() },
            { label: 'Over the limit', value: status === 'COUNTED' ? 'only counted' : 'rejected' },
            {
              label: 'Change it',
              value: (
                <Link href={`${addressOf('limits')}?filter=${encodeURIComponent(name)}`}>on the page of limits</Link>
              ),
            },
          ]}
        />
        {use.map(({ scope: where, used = 0, limit: most = limit.in_force ?? 0 }) => {
          const label = Object.entries(where)
            .map(([part, value]) => `${part} ${value}`)
            .join(', ');
          return <Meter key={label} label={label} value={used} most={most} text={`${count(used)} of ${count(most)}`} />;
        })}
        {!fixed && limit.in_force !== undefined && <Ask limit={limit} />}
      </Stack>
    </Detail>
  );
}

/** Asks for a higher limit, as a user of the platform does. */
function Ask({ limit: { name, in_force = 0 } }: { readonly limit: Limit }) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const [requested, setRequested] = useState(String(in_force * 2));
  const [reason, setReason] = useState('');
  const ask = useAction(
    () => platform.post('/api/2.0/platform/limit-increases', { limit: name, requested: Number(requested), reason }),
    { inline: true, done: 'The increase was requested; it waits for a decision.' },
  );
  if (!mayChange) return null;
  return (
    <Section title="Ask for more">
      <Row align="end">
        <TextField
          label="Requested"
          type="number"
          value={requested}
          onChange={setRequested}
          error={ask.failure?.message}
        />
        <TextField label="Reason" value={reason} onChange={setReason} onEnter={() => void ask.run()} />
        <Button isDisabled={reason.trim() === '' || ask.isRunning} onPress={() => void ask.run()}>
          Request
        </Button>
      </Row>
    </Section>
  );
}
