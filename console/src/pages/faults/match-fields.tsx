import { useServices } from '../../shared/api/use-services.ts';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Grid, Section } from '../../shared/ui/layout.tsx';
import { OperationChoice } from './operation-choice.tsx';
import { type Match, present } from './rule.ts';

interface Props {
  readonly match: Match;
  readonly onChange: (match: Match | undefined) => void;
  readonly errorOf: (member: string) => string | undefined;
}

const DIRECTIONS = [
  { value: 'inbound', label: 'Requests to the jar' },
  { value: 'outbound', label: 'Messages that the jar sends' },
] as const;

const ANY = '';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const METHOD_CHOICES = [{ value: ANY, label: 'Any' }, ...METHODS.map((value) => ({ value, label: value }))];

/** Which requests: what is left open matches everything. */
export function MatchFields({ match, onChange, errorOf }: Props) {
  const services = useServices();
  const { direction = 'inbound', service, method, path } = match;
  const change = (members: { [Name in keyof Match]?: Match[Name] | undefined }): void => {
    const after = present({ ...match, ...members }) as Match;
    onChange(Object.keys(after).length === 0 ? undefined : after);
  };
  return (
    <Section title="Which requests">
      <Grid least={180}>
        <Select
          label="Direction"
          value={direction}
          onChange={(chosen) => change({ direction: chosen })}
          choices={DIRECTIONS}
        />
        <Select
          label="Service"
          value={service ?? ANY}
          onChange={(chosen) => change({ service: chosen === ANY ? undefined : chosen })}
          choices={[{ value: ANY, label: 'Any' }, ...services]}
        />
        <Select
          label="Method"
          value={method ?? ANY}
          onChange={(chosen) => change({ method: chosen === ANY ? undefined : chosen })}
          choices={METHOD_CHOICES}
        />
      </Grid>
      {direction === 'inbound' && service !== undefined && (
        <OperationChoice service={service} match={match} onChoose={(chosen) => change(chosen)} />
      )}
      <TextField
        label={direction === 'inbound' ? 'Path' : 'Address or path of the receiver'}
        isMono
        value={path ?? ''}
        placeholder={direction === 'inbound' ? '/subscriptions*' : 'https://receiver.example/hooks/*'}
        description="* matches any characters, slashes too; ? matches one. Empty matches everything."
        error={errorOf('match.path') ?? errorOf('match.service') ?? errorOf('match.method')}
        onChange={(typed) => change({ path: typed === '' ? undefined : typed })}
      />
    </Section>
  );
}
