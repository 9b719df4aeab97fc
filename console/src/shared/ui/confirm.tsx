import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Row } from './layout.tsx';

interface Props {
  /** The button: `Delete`. */
  readonly label: string;
  /** What will be lost: `Delete 3 deliveries? They cannot be sent again.` */
  readonly question: string;
  readonly onConfirm: () => void;
  readonly isDisabled?: boolean;
}

const WAITS_MS = 10_000;

/** Asks once, in place, naming what will be lost. */
export function Confirm({ label, question, onConfirm, isDisabled = false }: Props) {
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    if (!asks) return undefined;
    const timer = setTimeout(() => setAsks(false), WAITS_MS);
    return () => clearTimeout(timer);
  }, [asks]);
  if (!asks) {
    return (
      <Button look="danger" isDisabled={isDisabled} onPress={() => setAsks(true)}>
        {label}
      </Button>
    );
  }
  return (
    <Row>
      <span role="alert">{question}</span>
      <Button
        look="danger"
        autoFocus
        onPress={() => {
          setAsks(false);
          onConfirm();
        }}
      >
        {label}
      </Button>
      <Button onPress={() => setAsks(false)}>Keep</Button>
    </Row>
  );
}
