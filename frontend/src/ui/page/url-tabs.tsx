import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useId, type ReactNode } from 'react';
import { useAddress } from '../../lib/use-address';

export interface TabEntry {
  value: string;
  label: string;
  /** Shown after the label if it is above 0. */
  count?: number;
  content: () => ReactNode;
}

interface UrlTabsProps {
  label: string;
  tabs: readonly TabEntry[];
  /** Parameters of the URL that belong to one tab, such as its search. Removed when another tab is chosen. */
  clears?: readonly string[];
}

/** Tabs whose choice is in the URL, so that a reload, a link, Back and Forward show the same tab. */
export function UrlTabs({ label, tabs, clears = [] }: UrlTabsProps) {
  const { params, write } = useAddress();
  const id = useId();
  const selected = tabs.find((tab) => tab.value === params.get('tab')) ?? tabs[0];
  if (!selected) return null;
  return (
    <>
      <Tabs
        value={selected.value}
        onChange={(_event, value: string) =>
          write({ ...Object.fromEntries(clears.map((name) => [name, null])), tab: value })
        }
        aria-label={label}
        variant="scrollable"
        scrollButtons="auto"
        allowScrollButtonsMobile
        sx={{ mb: 2, borderBottom: 1, borderColor: 'divider' }}
      >
        {tabs.map((tab) => (
          <Tab
            key={tab.value}
            value={tab.value}
            id={`${id}-${tab.value}`}
            aria-controls={tab === selected ? `${id}-panel` : undefined}
            label={tab.count ? `${tab.label} (${tab.count})` : tab.label}
          />
        ))}
      </Tabs>
      <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected.value}`}>
        {selected.content()}
      </Box>
    </>
  );
}
