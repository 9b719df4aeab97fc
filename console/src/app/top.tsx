import { LogOut, Menu, Moon, Search, Sun } from 'lucide-react';
import { Link } from 'wouter';
import { control } from '../shared/api/control.ts';
import { sessionEnded } from '../shared/api/session.ts';
import { useConnection, useFrame } from '../shared/live/live.tsx';
import { useSession } from '../shared/session.ts';
import { useTheme } from '../shared/theme.ts';
import { Badge } from '../shared/ui/badge.tsx';
import { Button, IconButton } from '../shared/ui/button.tsx';
import { ClockDisplay } from './clock-display.tsx';
import styles from './top.module.css';

interface Props {
  readonly openPalette: () => void;
  readonly openMenu: () => void;
}

export function Top({ openPalette, openMenu }: Props) {
  const [theme, toggleTheme] = useTheme();
  const { role } = useSession();
  const signOut = async (): Promise<void> => {
    await control.DELETE('/_jar/console/session');
    sessionEnded.announce();
  };
  return (
    <header className={styles.top}>
      <span className={styles.menu}>
        <IconButton label="Pages" icon={<Menu size={16} aria-hidden />} onPress={openMenu} />
      </span>
      <Link href="/" className={styles.name}>
        Cloudjar
      </Link>
      <Button onPress={openPalette}>
        <Search size={14} aria-hidden />
        <span className={styles.wide}>Search or do</span> <kbd className={styles.wide}>Ctrl K</kbd>
      </Button>
      <span className={styles.space} />
      {role === 'reader' && <Badge tone="info">read only</Badge>}
      <ClockDisplay />
      <Connection />
      <IconButton
        label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
        icon={theme === 'dark' ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
        onPress={toggleTheme}
      />
      <IconButton label="End the session" icon={<LogOut size={16} aria-hidden />} onPress={signOut} />
    </header>
  );
}

/** Whether the page shows the present, and what the jar itself reports. */
function Connection() {
  const connection = useConnection();
  const health = useFrame()?.health;
  if (connection === 'lost') return <Badge tone="failure">connection lost</Badge>;
  if (connection === 'connecting') return <Badge>connecting</Badge>;
  if (health && health.status !== 'ready') return <Badge tone="warning">{health.status}</Badge>;
  return <Badge tone="success">live</Badge>;
}
