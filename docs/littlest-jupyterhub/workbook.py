# /opt/tljh/config/jupyterhub_config.d/workbook.py: each student finds the sheets in labs/, in JupyterLab.
c = get_config()  # noqa: F821 - JupyterHub defines it

c.Spawner.default_url = "/lab/tree/labs"
c.SystemdSpawner.unit_extra_properties = {"ExecStartPre": "/srv/course/hand-out"}
