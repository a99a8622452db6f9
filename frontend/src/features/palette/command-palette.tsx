import { Command } from 'cmdk';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatDate, plural } from '../../lib/format';
import {
  contactPath,
  historyEntryPath,
  listPath,
  NEW_LIST_PATH,
  routes,
  SETTINGS_SECTIONS,
  settingsPath,
} from '../../lib/routes';
import {
  IconHistory,
  IconLists,
  IconPlus,
  IconQuestion,
  IconSend,
  IconSettings,
  IconUser,
  type Icon,
} from '../../ui/icons';
import { VisuallyHidden } from '../../ui/visually-hidden';
import { paletteStyle } from './palette-style';
import { useSearch } from './use-search';

export { ShortcutHelp } from './shortcut-help';

export interface PaletteScreen {
  path: string;
  label: string;
  icon: Icon;
}

interface CommandPaletteProps {
  screens: PaletteScreen[];
  onClose: () => void;
  onHelp: () => void;
}

interface Choice {
  /** Unique among all choices. */
  key: string;
  label: string;
  detail?: ReactNode;
  keys?: string;
  icon: Icon;
  to: string | (() => void);
}

const matches = (typed: string) => (choice: Choice) => choice.label.toLowerCase().includes(typed.trim().toLowerCase());

/** Finds screens, commands, settings, lists, sends and contacts by a few typed letters, and opens the chosen one. */
export function CommandPalette({ screens, onClose, onHelp }: CommandPaletteProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const found = useSearch(typed);
  const commands: Choice[] = [
    { key: 'new-send', label: 'New send', keys: 'C', icon: IconSend, to: routes.send.path },
    { key: 'new-list', label: 'New list', icon: IconPlus, to: NEW_LIST_PATH },
    { key: 'help', label: 'Keyboard shortcuts', keys: '?', icon: IconQuestion, to: onHelp },
  ];
  const groups: [heading: string, choices: Choice[]][] = [
    [
      'Lists',
      found.lists.map(({ id, name, contactCount }) => ({
        key: `list-${id}`,
        label: name,
        detail: plural(contactCount, 'contact'),
        icon: IconLists,
        to: listPath(id),
      })),
    ],
    [
      'Contacts',
      found.contacts.map(({ id, email, listId, listName }) => ({
        key: `contact-${id}`,
        label: email,
        detail: listName,
        icon: IconUser,
        to: contactPath(listId, email),
      })),
    ],
    [
      'Sends',
      found.sends.map(({ id, subject, sentAt }) => ({
        key: `send-${id}`,
        label: subject,
        detail: formatDate(sentAt),
        icon: IconHistory,
        to: historyEntryPath(id),
      })),
    ],
    ['Commands', commands.filter(matches(typed))],
    [
      'Go to',
      screens.map(({ path, label, icon }) => ({ key: `screen-${path}`, label, icon, to: path })).filter(matches(typed)),
    ],
    [
      'Settings',
      typed.trim()
        ? SETTINGS_SECTIONS.map(({ id, title }) => ({
            key: `setting-${id}`,
            label: title,
            icon: IconSettings,
            to: settingsPath(id),
          })).filter(matches(typed))
        : [],
    ],
  ];
  const isEmpty = groups.every(([, choices]) => choices.length === 0);
  const choose = ({ to }: Choice) => {
    if (typeof to === 'function') return to();
    onClose();
    void navigate(to);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth="sm"
      fullWidth
      aria-labelledby={id}
      slotProps={{ paper: { sx: paletteStyle } }}
    >
      <VisuallyHidden id={id}>Search and commands</VisuallyHidden>
      <Command shouldFilter={false} loop label="Search and commands">
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder="Search lists, contacts, sends, settings…"
          maxLength={200}
          aria-label="Search and commands"
        />
        <Command.List label="Results">
          {groups.map(
            ([heading, choices]) =>
              choices.length > 0 && (
                <Command.Group key={heading} heading={heading}>
                  {choices.map((choice) => (
                    <Command.Item key={choice.key} value={choice.key} onSelect={() => choose(choice)}>
                      <choice.icon size={17} aria-hidden />
                      <Box
                        component="span"
                        sx={{
                          flex: 1,
                          minWidth: 0,
                          display: 'flex',
                          flexDirection: { xs: 'column', sm: 'row' },
                          alignItems: { sm: 'center' },
                          columnGap: 1.25,
                          py: { xs: 0.5, sm: 0 },
                        }}
                      >
                        <Box
                          component="span"
                          sx={{
                            display: 'block',
                            flex: { sm: 1 },
                            minWidth: 0,
                            overflow: 'hidden',
                            textOverflow: 'ellipsis',
                            whiteSpace: 'nowrap',
                          }}
                        >
                          {choice.label}
                        </Box>
                        {choice.detail && (
                          <Typography
                            component="span"
                            variant="caption"
                            color="textSecondary"
                            noWrap
                            sx={{ display: 'block', maxWidth: { sm: '45%' } }}
                          >
                            {choice.detail}
                          </Typography>
                        )}
                      </Box>
                      {choice.keys && <kbd aria-hidden>{choice.keys}</kbd>}
                    </Command.Item>
                  ))}
                </Command.Group>
              ),
          )}
        </Command.List>
      </Command>
      <Box
        role="status"
        sx={{
          px: 2,
          py: 1,
          borderTop: 1,
          borderColor: 'divider',
          minHeight: 40,
          display: 'flex',
          alignItems: 'center',
          gap: 1,
        }}
      >
        <Typography variant="caption" color="textSecondary" sx={{ flex: 1 }}>
          {found.isFailed
            ? 'Part of the search failed.'
            : found.isSearching
              ? 'Searching…'
              : isEmpty
                ? `Nothing found for “${typed.trim()}”`
                : 'Arrow keys choose, Enter opens, Esc closes'}
        </Typography>
        {found.isFailed && (
          <Button size="small" color="inherit" onClick={found.retry}>
            Retry
          </Button>
        )}
      </Box>
    </Dialog>
  );
}
