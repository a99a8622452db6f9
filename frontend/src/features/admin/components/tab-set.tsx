import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useId, type ReactNode } from 'react';
import { useAddress } from '../../../lib/use-address';

export interface TabEntry {
  value: string;
  label: string;
  /** How many wait there. */
  count?: number;
  content: () => ReactNode;
}

/** Tabs whose choice stands in the address: a reload, a link, Back and Forward show the same one. */
export function TabSet({ label, tabs }: { label: string; tabs: readonly TabEntry[] }) {
  const { params, write } = useAddress();
  const id = useId();
  const chosen = tabs.find((tab) => tab.value === params.get('tab')) ?? tabs[0];
  if (!chosen) return null;
  return (
    <>
      <Tabs
        value={chosen.value}
        onChange={(_event, value: string) => write({ tab: value })}
        aria-label={label}
        variant="scrollable"
        scrollButtons="auto"
        allowScrollButtonsMobile
        sx={{ mb: 2, borderBottom: 1, borderColor: 'surface.line' }}
      >
        {tabs.map((tab) => (
          <Tab
            key={tab.value}
            value={tab.value}
            id={`${id}-${tab.value}`}
            aria-controls={tab === chosen ? `${id}-panel` : undefined}
            label={tab.count ? `${tab.label} (${tab.count})` : tab.label}
          />
        ))}
      </Tabs>
      <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen.value}`}>
        {chosen.content()}
      </Box>
    </>
  );
}
