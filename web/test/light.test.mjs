// All views of a finished event under axe-core, in light.
import { finished } from "./axe_views.mjs";

finished("light");
