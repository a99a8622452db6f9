import IconButton from '@mui/material/IconButton';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { tinykeys } from 'tinykeys';
import type { CurrentUser } from '../../api/session';
import type { CommandPalette } from '../../features/palette/command-palette';
import { isDialogOpen, isTyping, modifierName, singleKeys } from '../../lib/keyboard';
import { routes } from '../../lib/routes';
import { IconSearch } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import { Tooltip } from '../../ui/tooltip';
import { MAIN_ID } from './main-area';
import { entriesFor } from './navigation';

type Screens = typeof import('../../features/palette/command-palette');

/** Focuses the screen's search field. @returns false if there is none */
function focusSearch(): boolean {
  const field = document
    .getElementById(MAIN_ID)
    ?.querySelector<HTMLElement>('[role="searchbox"], input[type="search"]');
  field?.focus();
  return Boolean(field);
}

/**
 * The button that opens the command palette, and the keys that work on every screen. The palette's code is fetched on
 * first use.
 */
export function Shortcuts({ user }: { user: CurrentUser }) {
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  const [code, setCode] = useState<Screens>();
  const navigate = useNavigate();
  const toast = useToast();
  const show = (what: 'palette' | 'help') => {
    setOpen(what);
    if (code) return;
    import('../../features/palette/command-palette').then(setCode, () => {
      setOpen(null);
      toast({
        title: 'The search could not be opened',
        description: 'Please check your connection and try again.',
        variant: 'destructive',
      });
    });
  };
  const press = useEffectEvent((event: KeyboardEvent, act: () => void) => {
    if (isTyping(event) || isDialogOpen() || open || !singleKeys.areOn()) return;
    event.preventDefault();
    act();
  });
  const openPalette = useEffectEvent((event: KeyboardEvent) => {
    event.preventDefault();
    if (open === 'palette') setOpen(null);
    else if (!isDialogOpen()) show('palette');
  });
  const go = useEffectEvent((path: string) => void navigate(path));
  const help = useEffectEvent(() => show('help'));
  const search = useEffectEvent(() => {
    if (!focusSearch()) show('palette');
  });
  useEffect(() => {
    const on = (act: () => void) => (event: KeyboardEvent) => press(event, act);
    return tinykeys(
      window,
      {
        '$mod+k': (event) => openPalette(event),
        c: on(() => go(routes.send.path)),
        '[Shift]+/': on(() => search()),
        '[Shift]+?': on(() => help()),
        'g d': on(() => go(routes.dashboard.path)),
        'g l': on(() => go(routes.lists.path)),
        'g h': on(() => go(routes.history.path)),
      },
      // Each handler decides for itself, since the palette also opens from a field.
      { ignore: (event) => event.repeat },
    );
  }, []);
  const close = () => setOpen(null);
  const Palette: typeof CommandPalette | undefined = code?.CommandPalette;
  return (
    <>
      <Tooltip title={`Search and commands (${modifierName()}+K)`}>
        <IconButton aria-label="Search and commands" aria-haspopup="dialog" onClick={() => show('palette')}>
          <IconSearch size={18} aria-hidden />
        </IconButton>
      </Tooltip>
      {code && open === 'help' && <code.ShortcutHelp onClose={close} />}
      {Palette && open === 'palette' && (
        <Palette
          screens={entriesFor(user.isAdmin).map(({ route, label, icon }) => ({
            path: routes[route].path,
            label,
            icon,
          }))}
          onClose={close}
          onHelp={() => setOpen('help')}
        />
      )}
    </>
  );
}
