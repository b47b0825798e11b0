import { finished } from "./axe_views.mjs";

finished("light");
