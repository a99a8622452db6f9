import { BUSINESS_SOFTWARE } from './business-software.js';
import { DATA_TOOLS } from './data.js';
import { LANGUAGES } from './languages.js';
import { PLATFORMS } from './platforms.js';
import { SPECIALTIES } from './specialties.js';
import { TESTING_AND_PROJECTS } from './testing-and-projects.js';

/**
 * Skills of information technology, one a line: the name, then its aliases after bars. A name after `?` is also a
 * common word or a letter, and counts only beside other skills. A name or alias of two skills stands for the first.
 */
export const SKILL_LINES = [LANGUAGES, PLATFORMS, DATA_TOOLS, BUSINESS_SOFTWARE, TESTING_AND_PROJECTS, SPECIALTIES]
  .map((lines) => lines.trim())
  .join('\n');
