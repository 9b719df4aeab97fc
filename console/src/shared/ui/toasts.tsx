import { X } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { classes } from '../style/class-names.ts';
import { IconButton } from './button.tsx';
import styles from './toasts.module.css';

interface Toast {
  readonly tone: 'success' | 'failure' | 'info';
  readonly message: string;
  readonly action?: ReactNode;
}

interface Toasts {
  show(toast: Toast): void;
}

const Context = createContext<Toasts | undefined>(undefined);

const SHOWN_MS = 10_000;
const MOST = 4;

/** Short messages about what a person has just done. Failures stay until they are dismissed. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly (Toast & { readonly id: number })[]>([]);
  const next = useRef(1);
  const dismiss = useCallback((id: number) => setShown((before) => before.filter((toast) => toast.id !== id)), []);
  const toasts = useMemo<Toasts>(
    () => ({
      show(toast) {
        const id = next.current;
        next.current += 1;
        setShown((before) => [...before.slice(1 - MOST), { ...toast, id }]);
        if (toast.tone !== 'failure') setTimeout(() => dismiss(id), SHOWN_MS);
      },
    }),
    [dismiss],
  );
  return (
    <Context value={toasts}>
      {children}
      <div className={styles.region} role="log" aria-live="polite" aria-label="Messages">
        {shown.map(({ id, tone, message, action }) => (
          <div key={id} className={classes(styles.toast, styles[tone])}>
            <span className={styles.message}>{message}</span>
            {action}
            <IconButton label="Dismiss" icon={<X size={14} aria-hidden />} onPress={() => dismiss(id)} />
          </div>
        ))}
      </div>
    </Context>
  );
}

export function useToasts(): Toasts {
  const toasts = useContext(Context);
  if (!toasts) throw new Error('there is no ToastProvider');
  return toasts;
}
