import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { Tooltip } from '../../ui/tooltip';
import { VisuallyHidden } from '../../ui/visually-hidden';
import { useOpenTasks, type Task } from './tasks';

const TASKS_SHOWN = 3;

const percentText = ({ percent }: Task) => (percent === null ? 'Starting' : `${percent}%`);
const accessibleName = (task: Task) => `${task.label} ${task.name}, ${percentText(task)}`;

/** Running tasks, above the signed-in user; each one links to its screen. */
export function TaskList({ collapsed = false, onChoose }: { collapsed?: boolean; onChoose?: () => void }) {
  const tasks = useOpenTasks();
  if (tasks.length === 0) return null;
  if (collapsed) return <TaskButton task={tasks[0]!} placement="right" />;
  return (
    <Stack component="ul" aria-label="In progress" sx={{ gap: 0.25, m: 0, p: 0, listStyle: 'none' }}>
      {tasks.slice(0, TASKS_SHOWN).map((task) => (
        <li key={task.id}>
          <Box
            component={RouterLink}
            to={task.path}
            onClick={onChoose}
            title={task.name}
            sx={{
              display: 'block',
              position: 'relative',
              px: 1.25,
              py: 0.75,
              borderRadius: 2,
              color: 'text.secondary',
              textDecoration: 'none',
              '&:hover': { color: 'text.primary', bgcolor: 'surface.raised' },
            }}
          >
            <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 1, mb: 0.5 }}>
              <Typography variant="caption">{task.label}</Typography>
              <Typography variant="caption" sx={{ fontVariantNumeric: 'tabular-nums' }}>
                {percentText(task)}
              </Typography>
            </Stack>
            <VisuallyHidden>{task.name}</VisuallyHidden>
            <LinearProgress
              aria-hidden
              role="presentation"
              variant={task.percent === null ? 'indeterminate' : 'determinate'}
              value={task.percent ?? 0}
              sx={{ height: 3, borderRadius: 2 }}
            />
          </Box>
        </li>
      ))}
      {tasks.length > TASKS_SHOWN && (
        <Typography component="li" variant="caption" color="textSecondary" sx={{ px: 1.25 }}>
          {tasks.length - TASKS_SHOWN} more
        </Typography>
      )}
    </Stack>
  );
}

/** The first running task, for the collapsed sidebar, which has space for an icon only. */
export function TaskBadge() {
  const [task] = useOpenTasks();
  return task ? <TaskButton task={task} placement="bottom" /> : null;
}

function TaskButton({ task, placement }: { task: Task; placement: 'right' | 'bottom' }) {
  return (
    <Tooltip title={accessibleName(task)} placement={placement} inPlace>
      <IconButton component={RouterLink} to={task.path} aria-label={accessibleName(task)} sx={{ alignSelf: 'center' }}>
        <CircularProgress
          aria-hidden
          role="presentation"
          size={20}
          thickness={5}
          variant={task.percent === null ? 'indeterminate' : 'determinate'}
          value={task.percent ?? 0}
          enableTrackSlot
        />
      </IconButton>
    </Tooltip>
  );
}
