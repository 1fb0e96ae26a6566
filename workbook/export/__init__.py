"""Files for other programs: traces, netCDF, tables, a player."""
