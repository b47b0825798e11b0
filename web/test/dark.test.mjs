// All views of a finished event under axe-core, in dark.
import { finished } from "./axe_views.mjs";

finished("dark");
