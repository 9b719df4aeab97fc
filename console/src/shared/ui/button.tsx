import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps, Tooltip, TooltipTrigger } from 'react-aria-components';
import { classes } from '../style/class-names.ts';
import styles from './button.module.css';

interface Props extends Omit<ButtonProps, 'className' | 'style' | 'children'> {
  /** `danger` destroys something. */
  readonly look?: 'plain' | 'main' | 'danger' | 'quiet';
  readonly children: ReactNode;
}

export function Button({ look = 'plain', children, ...props }: Props) {
  return (
    <AriaButton {...props} className={classes(styles.button, styles[look])}>
      {children}
    </AriaButton>
  );
}

interface IconProps extends Omit<Props, 'children'> {
  /** What the button does, for screen readers and on hover. */
  readonly label: string;
  readonly icon: ReactNode;
}

export function IconButton({ label, icon, look = 'quiet', ...props }: IconProps) {
  return (
    <TooltipTrigger delay={600}>
      <AriaButton {...props} aria-label={label} className={classes(styles.button, styles.icon, styles[look])}>
        {icon}
      </AriaButton>
      <Tooltip className={styles.tooltip as string} offset={4}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
