import { useState } from 'react';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Grid, Row, Section, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { backToDefault, changeOf, type LimitChange } from './changes.ts';
import { type Limit, MODES, type Mode, NUMBERS, type NumberName, type Scope, scopeWords } from './limit.ts';

interface Props {
  readonly limit: Limit;
  readonly scope: Scope;
  readonly setScope: (scope: Scope) => void;
  readonly after: () => void;
}

const DEFAULT = 'default';

/** Changes a limit for everyone, or for the scopes that are named. */
export function ChangeForm({ limit, scope, setScope, after }: Props) {
  return (
    <Stack>
      {limit.scope.length > 0 && (
        <Section title="For whom">
          <Grid least={180}>
            {limit.scope.map((part) => (
              <TextField
                key={part}
                label={part}
                value={scope[part] ?? ''}
                placeholder="all"
                isMono
                onChange={(value) => setScope({ ...scope, [part]: value })}
              />
            ))}
          </Grid>
        </Section>
      )}
      <Values key={JSON.stringify(overrideOf(limit, scope) ?? null)} limit={limit} scope={scope} after={after} />
    </Stack>
  );
}

function overrideOf({ overrides, scope: parts }: Limit, scope: Scope): Limit['overrides'][number] | undefined {
  const isSame = (override: Scope = {}): boolean =>
    parts.every((part) => (override[part] ?? '').toLowerCase() === (scope[part] ?? '').toLowerCase());
  return overrides.find((override) => isSame(override.scope));
}

function Values({ limit, scope, after }: Omit<Props, 'setScope'>) {
  const override = overrideOf(limit, scope);
  const fields = NUMBERS.filter(({ name }) => limit.table[name] !== undefined);
  const [texts, setTexts] = useState<Partial<Record<NumberName, string>>>(() =>
    Object.fromEntries(fields.map(({ name }) => [name, override?.[name]?.toString() ?? ''])),
  );
  const [mode, setMode] = useState<Mode | undefined>(override?.mode);
  const named = Object.fromEntries(Object.entries(scope).filter(([, value]) => value !== ''));
  const change = useAction((body: LimitChange) => dataOf(control.PATCH('/_jar/limits', { body })), {
    inline: true,
    done: `The limit was changed for ${scopeWords(named)}.`,
    after,
  });
  const { failure } = change;
  const errorOf = (name: string): string | undefined => (failure?.target === name ? failure.message : undefined);
  const isShownAtField = fields.some(({ name }) => name === failure?.target);
  return (
    <Section title="Values">
      <Grid least={180}>
        {fields.map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            type="number"
            value={texts[name] ?? ''}
            placeholder={String(limit.inForce[name] ?? limit.table[name])}
            description={`Declared: ${limit.table[name]}`}
            error={errorOf(name)}
            onChange={(text) => setTexts({ ...texts, [name]: text })}
            onEnter={() => void change.run(changeOf(limit, named, texts, mode))}
          />
        ))}
        <Select
          label="Mode"
          value={mode ?? DEFAULT}
          choices={[{ value: DEFAULT, label: 'As declared' }, ...MODES]}
          onChange={(chosen) => setMode(chosen === DEFAULT ? undefined : chosen)}
        />
      </Grid>
      {failure && !isShownAtField && (
        <Notice tone="failure" title="The change was refused.">
          {failure.message}
        </Notice>
      )}
      <Row>
        <Button
          look="main"
          isDisabled={change.isRunning}
          onPress={() => void change.run(changeOf(limit, named, texts, mode))}
        >
          Change for {Object.keys(named).length === 0 ? 'everyone' : 'this scope'}
        </Button>
        {override && (
          <Button isDisabled={change.isRunning} onPress={() => void change.run(backToDefault(limit, override.scope))}>
            Back to the default
          </Button>
        )}
      </Row>
    </Section>
  );
}
