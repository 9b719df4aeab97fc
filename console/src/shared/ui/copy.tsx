import { Check, Copy as CopyIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { shortId } from '../format/ids.ts';
import { Button, IconButton } from './button.tsx';
import { copyText } from './clipboard.ts';
import styles from './copy.module.css';

const SHOWN_MS = 1_500;

function useCopied(): readonly [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, (text) => void copyText(text).then(() => setCopied(true))];
}

/** An id, shortened in the middle, that a click copies. */
export function CopyId({ id, length }: { readonly id: string; readonly length?: number }) {
  const [copied, copy] = useCopied();
  const shown = shortId(id, length);
  return (
    // The label contains what is shown, so that people who speak to their computer can name it.
    <AriaButton
      className={styles.id as string}
      aria-label={copied ? 'copied' : `Copy ${shown}`}
      aria-description={id}
      onPress={() => copy(id)}
    >
      <span title={id}>{copied ? 'copied' : shown}</span>
    </AriaButton>
  );
}

interface Props {
  readonly text: string | (() => string | Promise<string>);
  readonly label: string;
  /** Shows the label beside the icon. */
  readonly labelled?: boolean;
}

export function CopyButton({ text, label, labelled = false }: Props) {
  const [copied, copy] = useCopied();
  const icon = copied ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />;
  const press = async (): Promise<void> => copy(typeof text === 'function' ? await text() : text);
  if (!labelled) return <IconButton label={copied ? 'Copied' : label} icon={icon} onPress={press} />;
  return (
    <Button onPress={press}>
      {icon} {copied ? 'Copied' : label}
    </Button>
  );
}
