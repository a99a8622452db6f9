import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { mayTypes, sendTypes, type SendType } from '../../../lib/roles';
import { routes } from '../../../lib/routes';
import { builtInTemplates } from '../../../ui/editor/built-in-templates';
import { EmptyState } from '../../../ui/loading/empty-state';
import { FilterSelect } from '../../../ui/form/filter-select';
import { PagedItems } from '../../../ui/grid/paged-items';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSearch, IconTemplate } from '../../../ui/icons';
import { SearchField } from '../../../ui/form/search-field';
import { CardSkeletons } from '../../../ui/loading/skeletons';
import { useCurrentUser, useTemplates, type TemplateSummary } from '../api';
import { messages } from '../messages';
import { BuiltInCard, TemplateCard } from './template-cards';
import { DeleteTemplate, RenameTemplate } from './template-dialogs';
import { cardGrid } from '../../../ui/linked-card';

const choices = [
  { value: 'own', label: 'For your role' },
  { value: 'all', label: 'All types' },
] as const;

/** The built-in templates, followed by the user's own. */
export function TemplatesTab() {
  const user = useCurrentUser();
  const grid = useServerGrid({ pageSize: 24, filters: { type: choices.map(({ value }) => value) } });
  const allowed = mayTypes(user.role, user.isAdmin);
  const types: readonly SendType[] = grid.filters.type === 'all' ? sendTypes : allowed;
  const query = useTemplates(grid.args, types.length === 1 ? (types[0] ?? '') : '');
  const [dialog, setDialog] = useState<{ what: 'rename' | 'delete'; template: TemplateSummary } | null>(null);
  const words = grid.search.toLowerCase();
  const builtIn =
    grid.page > 0
      ? []
      : types.flatMap((type) =>
          builtInTemplates[type]
            .filter(({ name }) => name.toLowerCase().includes(words))
            .map((template) => ({ type, template })),
        );
  return (
    <>
      <Box
        sx={{ display: 'grid', gap: 1.25, gridTemplateColumns: { xs: '1fr', md: 'minmax(0, 420px) 200px' }, mb: 2.5 }}
      >
        <SearchField label="Search templates..." value={grid.search} onSearch={grid.setSearch} />
        <FilterSelect
          label="Type"
          hideLabel
          value={grid.filters.type}
          choices={choices}
          onChange={(value) => grid.setFilter('type', value)}
        />
      </Box>
      <PagedItems
        label="templates"
        grid={grid}
        query={query}
        failedText={messages.templatesFailed}
        skeletons={<CardSkeletons />}
      >
        {(page) => (
          <>
            <Box component="section" aria-label="Templates" sx={cardGrid}>
              {builtIn.map(({ type, template }) => (
                <BuiltInCard key={template.name} type={type} template={template} />
              ))}
              {page.rows.map((template) => (
                <TemplateCard
                  key={template.id}
                  template={template}
                  onRename={() => setDialog({ what: 'rename', template })}
                  onDelete={() => setDialog({ what: 'delete', template })}
                />
              ))}
            </Box>
            {page.total === 0 && <NoTemplates isSearching={words !== ''} hasFound={builtIn.length > 0} />}
          </>
        )}
      </PagedItems>
      {dialog?.what === 'rename' && <RenameTemplate template={dialog.template} onClose={() => setDialog(null)} />}
      {dialog?.what === 'delete' && <DeleteTemplate template={dialog.template} onClose={() => setDialog(null)} />}
    </>
  );
}

function NoTemplates({ isSearching, hasFound }: { isSearching: boolean; hasFound: boolean }) {
  if (isSearching) return hasFound ? null : <EmptyState icon={IconSearch} title={messages.noTemplateMatch} />;
  return (
    <EmptyState
      dense
      icon={IconTemplate}
      title={messages.noTemplates}
      action={
        <Button variant="outlined" component={RouterLink} to={routes.history.path}>
          Save one from a past send
        </Button>
      }
    />
  );
}
