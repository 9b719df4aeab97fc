import { useState } from 'react';
import type { Action } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { Row, Section, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { EffectFields } from './effect-fields.tsx';
import { MatchFields } from './match-fields.tsx';
import { OftenFields } from './often-fields.tsx';
import { effectOf, oftenOf, present, type RuleDraft, whichOf } from './rule.ts';

interface Props {
  readonly initial: RuleDraft;
  /** The button. */
  readonly label: string;
  readonly save: Action<[RuleDraft]>;
}

/** Members of a rule that have a field of their own, where their errors are shown. */
const FIELDS =
  /^(match\.(service|method|path)|effect\.(status|headers|body|latencyMs|cutBodyAfter|slowBodyMs)|count|nth|every|share)$/;

/** The form of a rule, and the same rule as JSON: a change of one changes the other. */
export function RuleForm({ initial, label, save }: Props) {
  const [rule, setRule] = useState<RuleDraft>(initial);
  const [text, setText] = useState<string>();
  const { failure } = save;
  const errorOf = (member: string): string | undefined =>
    failure?.target === member || failure?.target?.startsWith(`${member}.`) ? failure.message : undefined;
  const change = (members: Partial<RuleDraft>): void => {
    setText(undefined);
    setRule((before) => present({ ...before, ...members }));
  };
  const isShownAtField = failure?.target !== undefined && FIELDS.test(failure.target);
  const problem = text === undefined ? undefined : problemOf(text);
  return (
    <Stack>
      <MatchFields match={rule.match ?? {}} onChange={(match) => change({ match })} errorOf={errorOf} />
      <EffectFields rule={rule} onChange={(effect) => change({ effect })} errorOf={errorOf} />
      <OftenFields rule={rule} onChange={change} errorOf={errorOf} />
      <Section title="As JSON">
        <TextField
          label="The rule as JSON"
          hideLabel
          isMono
          rows={8}
          value={text ?? JSON.stringify(rule, null, 2)}
          error={problem}
          onChange={(typed) => {
            setText(typed);
            const parsed = parsedRule(typed);
            if (parsed) setRule(parsed);
          }}
        />
      </Section>
      {failure && !isShownAtField && (
        <Notice tone="failure" title="The rule was refused.">
          {failure.message}
        </Notice>
      )}
      <Row>
        <Button look="main" isDisabled={save.isRunning || problem !== undefined} onPress={() => void save.run(rule)}>
          {label}
        </Button>
        <span>
          {whichOf(rule)}: {effectOf(rule) || 'no effect yet'}; {oftenOf(rule)}
        </span>
      </Row>
    </Stack>
  );
}

function parsedRule(text: string): RuleDraft | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('effect' in value) || !isObject(value.effect))
      return undefined;
    return 'match' in value && !isObject(value.match) ? undefined : (value as RuleDraft);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

function problemOf(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return parsedRule(text) ? undefined : "A rule is an object with an 'effect'.";
}
