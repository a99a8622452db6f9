import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useId, useState } from 'react';
import type { DraftState } from '../use-draft';
import { ListPicker } from './list-picker';
import { SegmentPicker } from './segment-picker';

const tabs = ['Lists', 'Segments'] as const;

/** Chooses the lists and segments that receive the email. */
export function AudiencePicker({ draft, change }: Pick<DraftState, 'draft' | 'change'>) {
  const { audience, emailListIds } = draft;
  const [chosenTab, setChosenTab] = useState<(typeof tabs)[number]>();
  // If only segments are chosen, their tab is shown until the user opens another.
  const selectedTab = chosenTab ?? (emailListIds.length === 0 && audience.segmentIds.length > 0 ? 'Segments' : 'Lists');
  const id = useId();
  const counts = { Lists: emailListIds.length, Segments: audience.segmentIds.length };
  return (
    <Box>
      <Tabs
        value={selectedTab}
        onChange={(_event, tab: (typeof tabs)[number]) => setChosenTab(tab)}
        aria-label="Recipients"
        sx={{ mb: 1.5, borderBottom: 1, borderColor: 'divider' }}
      >
        {tabs.map((tab) => (
          <Tab
            key={tab}
            value={tab}
            id={`${id}-${tab}`}
            aria-controls={tab === selectedTab ? `${id}-panel` : undefined}
            label={counts[tab] > 0 ? `${tab} (${counts[tab]})` : tab}
          />
        ))}
      </Tabs>
      <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selectedTab}`}>
        {selectedTab === 'Lists' ? (
          <ListPicker
            chosen={emailListIds}
            onChange={(next) => {
              setChosenTab('Lists');
              change({ emailListIds: next });
            }}
          />
        ) : (
          <SegmentPicker
            chosen={audience.segmentIds}
            onChange={(segmentIds) => {
              setChosenTab('Segments');
              change({ audience: { ...audience, segmentIds } });
            }}
          />
        )}
      </Box>
    </Box>
  );
}
