import { Select, TextField } from '../../shared/ui/field.tsx';
import { Grid, Section } from '../../shared/ui/layout.tsx';
import type { RuleDraft } from './rule.ts';

type Members = { [Name in 'count' | 'nth' | 'every' | 'share']?: number | undefined };

interface Props {
  readonly rule: RuleDraft;
  readonly onChange: (members: Partial<RuleDraft>) => void;
  readonly errorOf: (member: string) => string | undefined;
}

const KINDS = [
  { value: 'always', label: 'Every match' },
  { value: 'nth', label: 'Only one match' },
  { value: 'every', label: 'Every nth match' },
  { value: 'share', label: 'A share of the matches' },
] as const;

const DEFAULTS = { nth: 3, every: 2, share: 0.1 } as const;

/** How often the rule acts. */
export function OftenFields({ rule, onChange, errorOf }: Props) {
  const { nth, every, share } = rule;
  const kind = nth !== undefined ? 'nth' : share !== undefined ? 'share' : every !== undefined ? 'every' : 'always';
  const change = (members: Members): void => onChange(members as Partial<RuleDraft>);
  const number = (name: keyof Members, label: string, description?: string) => (
    <TextField
      label={label}
      type="number"
      value={rule[name] === undefined ? '' : String(rule[name])}
      description={description}
      error={errorOf(name)}
      onChange={(typed) => change({ [name]: typed === '' ? undefined : Number(typed) })}
    />
  );
  return (
    <Section title="How often">
      <Grid least={180}>
        <Select
          label="Acts on"
          value={kind}
          choices={KINDS}
          onChange={(chosen) =>
            change({
              nth: undefined,
              every: undefined,
              share: undefined,
              ...(chosen !== 'always' && { [chosen]: DEFAULTS[chosen] }),
              ...(chosen === 'nth' && { count: undefined }),
            })
          }
        />
        {kind === 'nth' && number('nth', 'Which match', 'Counted from 1')}
        {kind === 'every' && number('every', 'Every nth')}
        {kind === 'share' && number('share', 'Share', 'From 0 to 1; the same seed chooses the same matches')}
        {kind !== 'nth' && number('count', 'At most so many times', 'Empty: without end')}
      </Grid>
    </Section>
  );
}
