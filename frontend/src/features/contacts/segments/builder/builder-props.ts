import type { Terms } from '../filter';
import type { Group } from './tree';

/** What every part of the builder gets. */
export interface BuilderProps {
  tree: Group;
  terms: Terms;
  /** Whether incomplete rules say what they lack; not before somebody tried to save. */
  showFaults: boolean;
  /** @param focus the control to focus: a rule's id, or its id with `:up` or `:down` for its button */
  onChange: (tree: Group, focus?: string) => void;
}
