import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { Fragment, useId, useState } from 'react';
import { modifierName, singleKeys } from '../../lib/keyboard';

const MODIFIER_SHORTCUTS: [keys: string[], what: string][] = [
  [['mod', 'K'], 'Search and commands'],
  [['mod', 'B'], 'Show or hide the sidebar'],
  [['mod', 'Enter'], 'Next step of a send'],
];
const SINGLE_KEY_SHORTCUTS: [keys: string[], what: string][] = [
  [['C'], 'Compose a send'],
  [['/'], 'Search on this screen'],
  [['G', 'D'], 'Go to the dashboard'],
  [['G', 'L'], 'Go to the lists'],
  [['G', 'H'], 'Go to the history'],
  [['?'], 'This help'],
];

/** The keys that work on every screen, and the switch that turns off the shortcuts of a single key. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [isOn, setIsOn] = useState(singleKeys.areOn);
  const change = (on: boolean) => {
    singleKeys.set(on);
    setIsOn(on);
  };
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>Keyboard shortcuts</DialogTitle>
      <DialogContent>
        <Keys rows={MODIFIER_SHORTCUTS} />
        <FormControlLabel
          sx={{ mt: 2, mb: 0.5 }}
          control={<Switch checked={isOn} onChange={(_event, on) => change(on)} />}
          label="Single-key shortcuts"
        />
        <Keys rows={SINGLE_KEY_SHORTCUTS} muted={!isOn} />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose} autoFocus>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Keys({ rows, muted = false }: { rows: [keys: string[], what: string][]; muted?: boolean }) {
  const modifier = modifierName();
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'max-content 1fr',
        columnGap: 2.5,
        rowGap: 1,
        m: 0,
        mt: 1,
        color: muted ? 'text.secondary' : 'text.primary',
      }}
    >
      {rows.map(([keys, what]) => (
        <Fragment key={what}>
          <Box component="dt" sx={{ minWidth: 104 }}>
            {keys.map((key, index) => (
              <Fragment key={key}>
                {index > 0 && (keys[0] === 'mod' ? ' + ' : ' then ')}
                <Box
                  component="kbd"
                  sx={{
                    px: 0.75,
                    py: 0.125,
                    border: 1,
                    borderColor: 'controlBorder',
                    borderRadius: 1,
                    fontFamily: 'inherit',
                    fontSize: '0.8125rem',
                  }}
                >
                  {key === 'mod' ? modifier : key}
                </Box>
              </Fragment>
            ))}
          </Box>
          <Box component="dd" sx={{ m: 0, textDecoration: muted ? 'line-through' : 'none' }}>
            {what}
          </Box>
        </Fragment>
      ))}
    </Box>
  );
}
