import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';

interface Props {
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
  /** The title is only for screen readers. */
  readonly hideTitle?: boolean;
}

/** For what interrupts: the palette, the list of keys, a form that makes something. Never for reading. */
export function Dialog({ title, close, children, hideTitle = false }: Props) {
  return (
    <ModalOverlay
      className={styles.overlay as string}
      isOpen
      isDismissable
      onOpenChange={(isOpen) => isOpen || close()}
    >
      <Modal className={styles.modal as string}>
        <AriaDialog className={styles.dialog as string} {...(hideTitle && { 'aria-label': title })}>
          {!hideTitle && (
            <header className={styles.head}>
              <Heading slot="title" className={styles.title as string}>
                {title}
              </Heading>
              <IconButton label="Close" icon={<X size={16} aria-hidden />} onPress={close} />
            </header>
          )}
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
