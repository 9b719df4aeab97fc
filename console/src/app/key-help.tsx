import { useKeyTable } from '../shared/keys.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import styles from './key-help.module.css';

export function KeyHelp({ close }: { readonly close: () => void }) {
  const keys = useKeyTable().registered();
  return (
    <Dialog title="Keys" close={close}>
      <dl className={styles.keys}>
        {[{ key: 'Ctrl K', does: 'Search or do anything' }, ...keys].map(({ key, does }) => (
          <div key={key} className={styles.key}>
            <dt>
              {key.split(' ').map((part) => (
                <kbd key={part}>{part}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
