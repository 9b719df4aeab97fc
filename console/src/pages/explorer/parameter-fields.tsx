import { Select, TextField } from '../../shared/ui/field.tsx';
import { Grid } from '../../shared/ui/layout.tsx';
import type { Parameter } from './operation.ts';

interface Props {
  readonly parameters: readonly Parameter[];
  readonly values: Readonly<Record<string, string>>;
  /** What exists in the jar, by the names of parameters. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  readonly onChange: (name: string, value: string) => void;
}

const UNSET = '';

export function ParameterFields({ parameters, values, known, onChange }: Props) {
  return (
    <Grid>
      {parameters.map(({ name, in: place, isRequired, about, choices }) => {
        const value = values[name] ?? UNSET;
        const label = isRequired ? name : `${name} (optional)`;
        if (choices.length > 0)
          return (
            <Select
              key={`${place} ${name}`}
              label={label}
              value={value}
              choices={[...(isRequired ? [] : [UNSET]), ...choices].map((each) => ({
                value: each,
                label: each === UNSET ? 'not sent' : each,
              }))}
              onChange={(chosen) => onChange(name, chosen)}
              description={about}
            />
          );
        return (
          <TextField
            key={`${place} ${name}`}
            label={label}
            value={value}
            onChange={(typed) => onChange(name, typed)}
            suggestions={known[name] ?? []}
            {...(about !== undefined && { description: about })}
          />
        );
      })}
    </Grid>
  );
}
