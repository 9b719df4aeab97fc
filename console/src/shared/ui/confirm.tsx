import { useState } from 'react';
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

/** Asks once, in place, naming what will be lost. The question stays until it is answered: some people read slowly. */
export function Confirm({ label, question, onConfirm, isDisabled = false }: Props) {
  const [asks, setAsks] = useState(false);
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
