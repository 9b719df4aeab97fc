import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../shared/api/use-action.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Select, Switch, TextField } from '../../shared/ui/field.tsx';
import { Row, Soft } from '../../shared/ui/layout.tsx';
import { type Behaviour, putBehaviour, type WantedBehaviour } from './api.ts';
import styles from './behaviour.module.css';
import { BehaviourBadges } from './behaviour-badges.tsx';
import { CustomAnswer } from './custom-answer.tsx';
import { wantedOf } from './wanted.ts';

interface Props {
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly after: () => void;
}

const HANDSHAKES = [
  { value: 'answer', label: 'Answer handshakes' },
  { value: 'ignore', label: 'Ignore handshakes' },
  { value: 'refuse', label: 'Refuse handshakes' },
  { value: 'manual', label: 'Consent by hand' },
] as const;

const TIMES = 3;
const STATUS = 503;
const DELAY_MS = 2_000;

/** The switches of an inbox. Each applies at once; a number applies with Enter or when the field is left. */
export function BehaviourSwitches({ name, behaviour, after }: Props) {
  const mayChange = useMayChange();
  const [isCustom, setCustom] = useState(false);
  const put = useAction((wanted: WantedBehaviour) => putBehaviour(name, wanted), { inline: true, after });
  const { fail, delayMs, handshake } = behaviour;
  const left = fail?.left ?? 0;
  const times = useNumber(left > 0 ? left : TIMES);
  const failStatus = useNumber(fail?.status ?? STATUS);
  const delay = useNumber(delayMs > 0 ? delayMs : DELAY_MS);
  const change = (by: WantedBehaviour): void => void put.run({ ...wantedOf(behaviour), ...by });
  const setFail = (isOn: boolean): void => {
    const { fail: _, ...rest } = wantedOf(behaviour);
    void put.run(isOn ? { ...rest, fail: { times: times.value, status: failStatus.value } } : rest);
  };
  const errorAt = (target: string): string | undefined =>
    put.failure?.target?.startsWith(target) ? put.failure.message : undefined;
  if (!mayChange)
    return (
      <Row>
        <Soft>It answers:</Soft> <BehaviourBadges behaviour={behaviour} />
      </Row>
    );
  const isFailing = left > 0;
  const isSlow = delayMs > 0;
  return (
    <section className={styles.switches} aria-label="Answers of the inbox">
      <div className={styles.group}>
        <Switch label="Fail" isSelected={isFailing} onChange={setFail} />
        <NumberField
          label="Requests that fail"
          of={times}
          apply={() => isFailing && setFail(true)}
          error={errorAt('fail.times')}
        />
        <span>times with</span>
        <NumberField
          label="Status of failures"
          of={failStatus}
          apply={() => isFailing && setFail(true)}
          error={errorAt('fail.status')}
        />
        {fail && (
          <Soft>
            {left} of {fail.times} left
          </Soft>
        )}
      </div>
      <div className={styles.group}>
        <Switch label="Slow" isSelected={isSlow} onChange={(isOn) => change({ delayMs: isOn ? delay.value : 0 })} />
        <NumberField
          label="Delay in milliseconds"
          of={delay}
          apply={() => isSlow && change({ delayMs: delay.value })}
          error={errorAt('delayMs')}
        />
        <span>ms</span>
      </div>
      <div className={styles.group}>
        <Select
          label="Handshakes"
          hideLabel
          value={HANDSHAKES.find(({ value }) => value === handshake)?.value ?? 'answer'}
          choices={HANDSHAKES}
          onChange={(value) => change({ handshake: value })}
        />
        <Button onPress={() => setCustom(true)}>Other answer…</Button>
      </div>
      <div className={styles.group}>
        <Soft>Now:</Soft> <BehaviourBadges behaviour={behaviour} />
      </div>
      {put.failure && <p className={styles.error}>{put.failure.message}</p>}
      {isCustom && (
        <CustomAnswer
          behaviour={behaviour}
          close={() => setCustom(false)}
          save={(wanted) => putBehaviour(name, { ...wantedOf(behaviour), ...wanted })}
          after={after}
        />
      )}
    </section>
  );
}

interface NumberState {
  readonly text: string;
  readonly value: number;
  readonly isChanged: boolean;
  set(text: string): void;
}

/** A number as it is typed; follows the jar's value when that changes. */
function useNumber(current: number): NumberState {
  const [text, setText] = useState(String(current));
  useEffect(() => setText(String(current)), [current]);
  return { text, value: Number(text), isChanged: text !== String(current), set: setText };
}

interface NumberProps {
  readonly label: string;
  readonly of: NumberState;
  readonly apply: () => void;
  readonly error: string | undefined;
}

function NumberField({ label, of, apply, error }: NumberProps) {
  /** A number that was refused is not sent again when its field is left. */
  const tried = useRef<string>(undefined);
  const applyChanged = (): void => {
    if (!of.isChanged || tried.current === of.text) return;
    tried.current = of.text;
    apply();
  };
  return (
    <div className={styles.number}>
      <TextField
        label={label}
        hideLabel
        type="number"
        value={of.text}
        onChange={of.set}
        onEnter={applyChanged}
        onBlur={applyChanged}
        {...(error !== undefined && { error: 'Not accepted' })}
      />
    </div>
  );
}
